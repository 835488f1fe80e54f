package redact

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The rules that are lists of words are data. Each list says where its words are from,
// and when they were last looked at, so that whoever doubts one can look, too.

// origin says where a list of another kind is from.
type origin struct {
	source string
	date   string // when it was looked at, as 2006-01-02
}

// dated returns the list. TestRulesSayWhereTheyAreFrom reads its origin.
func dated[T any](_ origin, list T) T { return list }

// wordList is a list of words.
type wordList struct {
	source string // where the words are from
	date   string // when they were looked at, as 2006-01-02
	words  string // apart by commas or newlines
}

// foreignPasswords are what a password is called in other languages than English, in
// small letters and as one text. The ends of names and words before a colon or an equals
// sign count, whatever stands before them.
var foreignPasswords = wordList{
	source: "the word for a password in the login forms of each language, written down by the authors",
	date:   "2026-11-23",
	words: `contraseña, contrasena, contrasenya, contrasinal, senha, palavra passe,
mot de passe, motdepasse, mdp, passwort, kennwort, wachtwoord, lösenord, losenord, adgangskode, passord,
salasana, salasõna, hasło, haslo, heslo, jelszó, jelszo, parola, parola d ordine, parola chiave, chiave d accesso, parolă, parolã, geslo, lozinka, zaporka, slaptažodis, slaptazodis,
parole, lykilorð, fjalëkalim, fjalëkalimi, pasahitza, cyfrinair, pasfhocal, κωδικός, κωδικος, κωδικός πρόσβασης, συνθηματικό,
пароль, паролем, пароля, парола, лозинка, құпиясөз, құпия сөз, şifre, sifre, şifresi, parol, kata sandi, katasandi, sandi, mật khẩu,
matkhau, mat khau, รหัสผ่าน, סיסמה, סיסמא, كلمة المرور, كلمة السر, كلمه المرور, گذرواژه, رمز عبور, पासवर्ड, কূটশব্দ, পাসওয়ার্ড, கடவுச்சொல்,
գաղտնաբառ, პაროლი, 密码, 密碼, 口令, 通行码, 暗証番号, 合言葉, パスワード, パスフレーズ, 비밀번호, 암호, 패스워드`,
}

// foreignSecrets are what tokens and secret keys are called there.
var foreignSecrets = wordList{
	source: "the word for a token or a secret key in each language, written down by the authors",
	date:   "2026-11-23",
	words: `令牌, 密钥, 密鑰, 金鑰, 秘钥, 凭证, 凭据, 授权码, トークン, 秘密鍵, シークレット, apiキー, 토큰, 비밀키, 인증키, токен, секрет, секретный ключ,
jeton, clé secrète, cle secrete, clave secreta, clave de acceso, chave secreta, chave de acesso, geheimnis, geheimschlüssel, zugangsschlüssel, geheim,
chiave segreta, klucz tajny, klíč, salainen avain, gizli anahtar, anahtarı, khóa bí mật, رمز سري, مفتاح سري, מפתח סודי`,
}

// list returns the words.
func (l wordList) list() []string {
	words := strings.FieldsFunc(l.words, func(c rune) bool { return c == ',' || c == '\n' })
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	return words
}

// foreign are the words of a language other than English by their last bytes.
var foreign = func() (by [256][]foreignWord) {
	for h, l := range map[hides]wordList{password: foreignPasswords, aSecret: foreignSecrets} {
		for _, w := range l.list() {
			w = string(spaced([]byte(w)))
			by[w[len(w)-1]] = append(by[w[len(w)-1]], foreignWord{w, h})
		}
	}
	return by
}()

// foreignPairs are the last two bytes of these words, where both are of ASCII.
var foreignPairs = func() (is [utf8.RuneSelf][utf8.RuneSelf]bool) {
	for _, words := range foreign {
		for _, w := range words {
			if a, b := w.word[len(w.word)-2], w.word[len(w.word)-1]; a < utf8.RuneSelf && b < utf8.RuneSelf {
				is[a][b] = true
			}
		}
	}
	return is
}()

// spaced makes what stands between the words of s a space: mot_de_passe and mot-de-passe are
// the same.
func spaced(s []byte) []byte {
	for i, c := range s {
		if c == '_' || c == '-' || c == '\'' || c == '.' {
			s[i] = ' '
		}
	}
	return s
}

type foreignWord struct {
	word  string
	hides hides
}

// longestForeign is how many bytes the longest of them has.
const longestForeign = 48

// foreignHides returns what the end of s says in a language other than English, and how long
// the word is. A word in Latin letters must begin where one of s does.
func foreignHides(s []byte) (h hides, length int) {
	if len(s) == 0 {
		return nothing, 0
	}
	last := s[len(s)-1]
	words := foreign[last]
	if 'A' <= last && last <= 'Z' {
		words = foreign[lower(last)]
	}
	if len(words) == 0 && last < utf8.RuneSelf {
		return nothing, 0
	}
	if last < utf8.RuneSelf && len(s) > 1 && s[len(s)-2] < utf8.RuneSelf {
		pair := [2]byte{s[len(s)-2], last}
		if !foreignPairs[lower(spaced(pair[:1])[0])][lower(last)] {
			return nothing, 0 // most words end here, before a copy of them is made
		}
	}
	tail := s[max(0, len(s)-longestForeign):]
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	plain := bytes.ToLower(tail)
	if len(plain) == 0 {
		return nothing, 0
	}
	spaced(plain)
	for _, w := range foreign[plain[len(plain)-1]] {
		if len(w.word) <= length || !bytes.HasSuffix(plain, []byte(w.word)) {
			continue
		}
		before, _ := utf8.DecodeLastRune(plain[:len(plain)-len(w.word)])
		first, _ := utf8.DecodeRuneInString(w.word)
		if unicode.In(first, unicode.Latin) && (unicode.IsLetter(before) || unicode.IsDigit(before)) && before != utf8.RuneError {
			continue
		}
		h, length = w.hides, len(w.word)
	}
	return h, length
}

// takers are programs that read a password from the standard input, as
// echo PASSWORD | PROGRAM gives it.
var takers = wordList{
	source: "the manual page of each program",
	date:   "2026-11-23",
	words: `passwd, chpasswd, kinit, kadmin, su, sudo, cryptsetup, gpg, gpg2, openssl, docker, podman, nerdctl, helm, skopeo, buildah, oras, crane, smbpasswd, vncpasswd,
ipa, realm, adcli, net, mokutil, keyctl, secret-tool, security, pass, htpasswd, ssh-add, sshpass, ansible-vault, vault, restic, borg, age, 7z, zip, keytool, step, cosign,
mysql_config_editor, psql, createuser, ldappasswd, ldapmodify, ldapadd, oc, gh, glab, npm, az, gcloud, aws, rclone, duplicity, x11vnc, wpa_passphrase, nmcli, saslpasswd2, dovecot, doveadm`,
}

var isTaker = setOf(takers)

func setOf(l wordList) map[string]bool {
	m := map[string]bool{}
	for _, w := range l.list() {
		m[w] = true
	}
	return m
}

// positions are commands and lines of configurations in which a secret has no name but a
// place. A * is any word, … any words up to the next one, ~ any flags, a word with | one of
// several; PASS is the secret, user:PASS, user%PASS and user/PASS the part after the sign. A ^ stands before
// what must begin a line, because people write such words, too. One of several secrets of
// a line has a rule of its own.
var positions = wordList{
	source: "the manual of each program",
	date:   "2026-11-23",
	words: `rabbitmqctl … add_user|change_password|authenticate_user * PASS
^createUser * MD5|SHA|SHA1|SHA-1|SHA224|SHA-224|SHA256|SHA-256|SHA384|SHA-384|SHA512|SHA-512 PASS
^createUser * MD5|SHA|SHA1|SHA-1|SHA224|SHA-224|SHA256|SHA-256|SHA384|SHA-384|SHA512|SHA-512 * DES|AES|AES128|AES-128|AES192|AES256|AES-256 PASS
^createUser -e * * MD5|SHA|SHA1|SHA-1|SHA224|SHA-224|SHA256|SHA-256|SHA384|SHA-384|SHA512|SHA-512 PASS
^createUser -e * * MD5|SHA|SHA1|SHA-1|SHA224|SHA-224|SHA256|SHA-256|SHA384|SHA-384|SHA512|SHA-512 * DES|AES|AES128|AES-128|AES192|AES256|AES-256 PASS
^rocommunity|rwcommunity|rocommunity6|rwcommunity6|trapcommunity PASS
^com2sec|com2sec6 * * PASS
^com2sec|com2sec6 -Cn * * * PASS
^snmp-server community PASS
^snmp-server host * version * PASS
^trapsink|trap2sink|informsink * PASS
^stats auth user:PASS
^bindpw|rootpw|adminpw|rootbindpw|ldap_default_authtok|requirepass|masterauth|bind_pw PASS
^user * insecure-password PASS
^user * password PASS
^enable secret|password PASS
^enable secret|password * PASS
^username * password|secret PASS
^username * password|secret * PASS
^username * privilege * password|secret * PASS
^tacacs-server key PASS
^radius-server key PASS
^neighbor * password PASS
^ppp chap|pap password PASS
^auth-user-pass * PASS
^MASTER_PASSWORD PASS
^identified by PASS
net rpc|ads … -U user%PASS
wpa_passphrase * PASS
vncpasswd PASS
sshpass -p PASS
mc alias set * * * PASS
mc config host add * * * PASS
s3cmd --configure PASS
nmcli … wifi connect * password PASS
nmcli … wifi-sec.psk PASS
pdbedit … -p PASS
useradd … -p PASS
usermod … -p PASS
kadmin.local … -pw PASS
addprinc -pw PASS
addprinc … -pw PASS
cpw -pw PASS
ktpass … -pass PASS
keytool … -storepass|-keypass PASS
dsadd|dsmod … -pwd PASS
az … --password PASS
influx setup … -p PASS
vault login PASS
consul login PASS
gh auth login PASS
airflow users create … -p PASS
superset fab create-admin … --password PASS
nexus … admin PASS
occ user:add … PASS
kc.sh … --password PASS
kcadm.sh … --password PASS
jboss-cli.sh … -p=PASS
add-user.sh * PASS
add-user.sh -u * -p PASS
asadmin … --password PASS
net use * * PASS
cmdkey … /pass:PASS
couchdb … admin = PASS
sqlplus|rman|expdp|impdp|sqlldr|imp|exp|sqlcl … user/PASS
isql|iusql ~ * * PASS
ConvertTo-SecureString|convertto-securestring ~ PASS
db2 connect to * user * using PASS
ipmitool … user set password * PASS
virsh secret-set-value * PASS
virsh secret-set-value ~ * ~ PASS
rasdial * * PASS
net user * PASS
smbclient ~ * PASS
openssl passwd ~ PASS
mkpasswd ~ PASS
etcdctl … user add user:PASS
etcdctl … --user user:PASS
redis-cli … CONFIG|config SET|set requirepass|masterauth PASS
aws configure set aws_secret_access_key|aws_session_token PASS
crudini --set * * password PASS
mosquitto_passwd -b * * PASS
pvesh|pveum … --password PASS
samba-tool user setpassword … --newpassword PASS
samba-tool user create|add * PASS
^SET PASSWORD FOR * = PASS
^SET PASSWORD = PASS`,
}

// credentialCalls are functions that take a password after a user's name, without saying which is
// which, and connectionCalls those that take a server's before both.
var (
	credentialCalls = dated(origin{"the references of .NET, Java, Spring, Apache HttpClient, Python's requests, Go's net/http and Jenkins", "2026-11-24"},
		set("networkcredential pscredential usernamepasswordcredentials usernamepasswordauthenticationtoken passwordauthentication httpbasicauth httpdigestauth basicauth "+
			"setbasicauth withbasicauth basiccredentials setcredentials createaccount createuser createaccountwithhashedpassword adduser login authenticate signin "+
			"userpassword usernamepassword"))
	connectionCalls = dated(origin{"the references of JDBC, PHP and Go's net/smtp", "2026-11-24"},
		set("plainauth getconnection mysqli_connect mysqli pdo ldap_bind ftp_login"))
)

// ordinaryWords are words of texts about a cluster that are nobody's name.
var ordinaryWords = setOf(wordList{
	source: "the API's own words and those of everyday English",
	date:   "2026-11-23",
	words: `system, serviceaccount, serviceaccounts, node, nodes, masters, authenticated, unauthenticated, cluster, cluster-admin, http, https, tcp, udp, kubectl, apply, create,
edit, patch, set, image, the, and, for, not, with, from, this, that, name, namespace, pod, pods, service, services, deployment, deployments, true, false, manual, automatic, always, never`,
})

// personFields are the last words of fields, annotations and labels that say who somebody
// is.
var personFields = setOf(wordList{
	source: "the fields and annotations of Kubernetes, OpenShift, Argo CD, Flux, Backstage and Rancher, and their translations",
	date:   "2026-11-23",
	words: `username, author, authors, committer, owner, owners, requester, createdby, updatedby, initiatedby, requestedby, reportedby, modifiedby, approvedby, deployedby, startedby, triggeredby,
assignee, contact, contacts, maintainer, maintainers, email, mail, emailaddress, phone, telephone, oncall, approver, reviewer, customer, tenant, team, squad, department, division, businessunit, costcenter, costcentre,
company, organization, organisation, displayname, fullname, firstname, lastname, givenname, surname, kunde, kontakt, verantwortlich, responsable, responsible, 负责人, 联系人, 担当者, 담당자`,
})

// publicPrefixes are the domains before the slash of labels and annotations that are
// those of a product, and so of nobody in particular. Domains under them count, too.
var publicPrefixes = wordList{
	source: "the documentation of each product",
	date:   "2026-11-23",
	words: `kubernetes.io, k8s.io, x-k8s.io, helm.sh, openshift.io, istio.io, cert-manager.io, coreos.com, projectcalico.org, cilium.io, ovn.org, argoproj.io, fluxcd.io, toolkit.fluxcd.io, knative.dev, tekton.dev,
linkerd.io, hashicorp.com, consul.hashicorp.com, prometheus.io, grafana.com, grafana.net, rancher.io, cattle.io, k3s.io, rke2.io, crossplane.io, kyverno.io, gatekeeper.sh, velero.io, longhorn.io, rook.io, ceph.com, ceph.rook.io,
amazonaws.com, eksctl.io, karpenter.sh, azure.com, aks.azure.com, cloud.google.com, gke.io, googleapis.com, alibabacloud.com, aliyun.com, digitalocean.com, hetzner.cloud, oraclecloud.com, vmware.com, nvidia.com, intel.com, amd.com,
kubevirt.io, metallb.universe.tf, traefik.io, haproxy.org, haproxy.com, konghq.com, nginx.org, nginx.com, datadoghq.com, newrelic.com, dynatrace.com, elastic.co, strimzi.io, banzaicloud.io, fluentbit.io, fluentd.org, external-secrets.io,
keda.sh, kubeflow.org, ray.io, spotinst.io, kapp.k14s.io, k14s.io, carvel.dev, backstage.io, jaegertracing.io, opentelemetry.io, sidecar.istio.io, kustomize.toolkit.fluxcd.io, app.kubernetes.io, kubectl.kubernetes.io, cnrm.cloud.google.com, kots.io, replicated.com`,
}

var publicPrefix = setOf(publicPrefixes)

// isPublicPrefix reports whether a domain, or one that it is under, is one of them, or no
// domain at all.
func isPublicPrefix(domain string) bool {
	if !strings.Contains(domain, ".") {
		return true
	}
	for {
		if publicPrefix[domain] {
			return true
		}
		_, rest, ok := strings.Cut(domain, ".")
		if !ok {
			return false
		}
		domain = rest
	}
}

// plainLabels are labels and taints whose values are a vocabulary and no names.
var plainLabels = setOf(wordList{
	source: "https://kubernetes.io/docs/reference/labels-annotations-taints/, and what charts use",
	date:   "2026-11-23",
	words: `tier, env, environment, stage, track, component, role, version, type, channel, language, kind, heritage, pod-template-hash, pod-template-generation, controller-revision-hash, controller-uid, revision, istio.io/rev,
app.kubernetes.io/version, app.kubernetes.io/managed-by, app.kubernetes.io/component, kubernetes.io/os, kubernetes.io/arch, beta.kubernetes.io/os, beta.kubernetes.io/arch, kubernetes.io/role,
node.kubernetes.io/instance-type, beta.kubernetes.io/instance-type, node.kubernetes.io/windows-build, batch.kubernetes.io/controller-uid, batch.kubernetes.io/job-completion-index, apps.kubernetes.io/pod-index,
kubernetes.io/bootstrapping, addonmanager.kubernetes.io/mode, kubernetes.io/cluster-service, endpointslice.kubernetes.io/managed-by, kubernetes.io/managed-by, status`,
})

// everydayContainers are names of containers that many have.
var everydayContainers = dated(origin{"the charts and operators that have such containers", "2026-11-24"},
	set("main app application server sidecar init container worker agent proxy istio-proxy istio-init linkerd-proxy linkerd-init manager controller operator "+
		"kube-rbac-proxy config-reloader coredns etcd kube-apiserver kube-scheduler kube-controller-manager kube-proxy pause csi-provisioner csi-attacher csi-resizer csi-snapshotter node-driver-registrar liveness-probe kwok fake"))
