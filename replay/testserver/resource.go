package testserver

// Resource is a kind of object that a Server has.
type Resource struct {
	Group      string // "" for the core group
	Version    string
	Name       string // of the resource, the plural: "widgets"
	Kind       string // "Widget"
	ShortNames []string
	Cluster    bool // its objects have no namespace
	// Status says that there is the subresource status: a create and an update leave the
	// status as it is, and only a write to the subresource changes it.
	Status bool
	// Generation says that metadata.generation counts the writes of all but the metadata
	// and the status, as it does for every custom resource.
	Generation bool
	// Conditional says that an update must name a resourceVersion, as for every custom
	// resource.
	Conditional bool
	// Scale says that there is the subresource scale, by spec.replicas, status.replicas and
	// spec.selector, or of a custom resource status.selector.
	Scale bool
	// Fields are the field labels besides metadata.name and metadata.namespace, such as
	// spec.nodeName.
	Fields []string
}

// CustomResource describes a custom resource with the subresource status by its names. Its
// CustomResourceDefinition needn't exist.
func CustomResource(group, version, name, kind string) Resource {
	return Resource{Group: group, Version: version, Name: name, Kind: kind, Status: true, Generation: true, Conditional: true}
}

// KnownResource describes a resource of that name as every Server has it, or else as a custom one of that kind.
func KnownResource(group, version, name, kind string) Resource {
	for _, r := range builtIn {
		if r.Group == group && r.Name == name {
			r.Version = version
			return r
		}
	}
	return CustomResource(group, version, name, kind)
}

// GroupVersion returns the apiVersion of its objects.
func (r *Resource) GroupVersion() string {
	if r.Group == "" {
		return r.Version
	}
	return r.Group + "/" + r.Version
}

// qualified returns the name as the server's messages have it.
func (r *Resource) qualified() string {
	if r.Group == "" {
		return r.Name
	}
	return r.Name + "." + r.Group
}

// builtIn are the resources that every Server has.
var builtIn = []Resource{
	{Version: "v1", Name: "configmaps", Kind: "ConfigMap", ShortNames: []string{"cm"}},
	{Version: "v1", Name: "endpoints", Kind: "Endpoints", ShortNames: []string{"ep"}},
	{Version: "v1", Name: "events", Kind: "Event", ShortNames: []string{"ev"}, Fields: []string{"involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid", "reason", "type"}},
	{Version: "v1", Name: "namespaces", Kind: "Namespace", ShortNames: []string{"ns"}, Cluster: true, Status: true, Fields: []string{"status.phase"}},
	{Version: "v1", Name: "nodes", Kind: "Node", ShortNames: []string{"no"}, Cluster: true, Status: true, Fields: []string{"spec.unschedulable"}},
	{Version: "v1", Name: "persistentvolumeclaims", Kind: "PersistentVolumeClaim", ShortNames: []string{"pvc"}, Status: true},
	{Version: "v1", Name: "persistentvolumes", Kind: "PersistentVolume", ShortNames: []string{"pv"}, Cluster: true, Status: true},
	{Version: "v1", Name: "pods", Kind: "Pod", ShortNames: []string{"po"}, Status: true, Generation: true,
		Fields: []string{"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "status.phase", "status.podIP"}},
	{Version: "v1", Name: "replicationcontrollers", Kind: "ReplicationController", ShortNames: []string{"rc"}, Status: true, Generation: true, Scale: true},
	{Version: "v1", Name: "secrets", Kind: "Secret", Fields: []string{"type"}},
	{Version: "v1", Name: "serviceaccounts", Kind: "ServiceAccount", ShortNames: []string{"sa"}},
	{Version: "v1", Name: "services", Kind: "Service", ShortNames: []string{"svc"}, Status: true},
	{Group: "apiextensions.k8s.io", Version: "v1", Name: "customresourcedefinitions", Kind: "CustomResourceDefinition", ShortNames: []string{"crd"}, Cluster: true, Status: true, Generation: true, Conditional: true},
	{Group: "apps", Version: "v1", Name: "daemonsets", Kind: "DaemonSet", ShortNames: []string{"ds"}, Status: true, Generation: true},
	{Group: "apps", Version: "v1", Name: "deployments", Kind: "Deployment", ShortNames: []string{"deploy"}, Status: true, Generation: true, Scale: true},
	{Group: "apps", Version: "v1", Name: "replicasets", Kind: "ReplicaSet", ShortNames: []string{"rs"}, Status: true, Generation: true, Scale: true},
	{Group: "apps", Version: "v1", Name: "statefulsets", Kind: "StatefulSet", ShortNames: []string{"sts"}, Status: true, Generation: true, Scale: true},
	{Group: "batch", Version: "v1", Name: "cronjobs", Kind: "CronJob", ShortNames: []string{"cj"}, Status: true, Generation: true},
	{Group: "batch", Version: "v1", Name: "jobs", Kind: "Job", Status: true, Generation: true},
	{Group: "coordination.k8s.io", Version: "v1", Name: "leases", Kind: "Lease", Conditional: true},
	{Group: "discovery.k8s.io", Version: "v1", Name: "endpointslices", Kind: "EndpointSlice", Generation: true},
	{Group: "events.k8s.io", Version: "v1", Name: "events", Kind: "Event", ShortNames: []string{"ev"}},
	{Group: "networking.k8s.io", Version: "v1", Name: "ingresses", Kind: "Ingress", ShortNames: []string{"ing"}, Status: true, Generation: true},
	{Group: "policy", Version: "v1", Name: "poddisruptionbudgets", Kind: "PodDisruptionBudget", ShortNames: []string{"pdb"}, Status: true, Generation: true},
}
