package apply

import (
	"encoding/json"
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
)

// Strategic returns the Strategic of testserver.Options. It knows the kinds of client-go's scheme.
func Strategic() func(apiVersion, kind string, live, patch []byte) (patched []byte, known bool, err error) {
	return func(apiVersion, kind string, live, patch []byte) ([]byte, bool, error) {
		o, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(apiVersion, kind))
		if err != nil {
			return nil, false, nil
		}
		if !json.Valid(patch) {
			return nil, true, apierrors.NewBadRequest("error decoding patch: " + mergepatch.ErrBadJSONDoc.Error())
		}
		out, err := strategicpatch.StrategicMergePatch(live, patch, o)
		return out, true, refused(err)
	}
}

// malformed are the errors by which the library says that a patch is wrong whatever it is for.
var malformed = []error{
	mergepatch.ErrBadJSONDoc, mergepatch.ErrBadPatchFormatForPrimitiveList, mergepatch.ErrBadPatchFormatForRetainKeys,
	mergepatch.ErrBadPatchFormatForSetElementOrderList, mergepatch.ErrUnsupportedStrategicMergePatchFormat,
}

// refused returns the answer of an API server to a patch with which the library has failed.
func refused(err error) error {
	if err == nil {
		return nil
	}
	for _, m := range malformed {
		if errors.Is(err, m) {
			return apierrors.NewBadRequest(err.Error())
		}
	}
	if errors.Is(err, mergepatch.ErrNoListOfLists) || errors.Is(err, mergepatch.ErrPatchContentNotMatchRetainKeys) {
		return apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", err.Error(), 0, false)
	}
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: err.Error()}}
}
