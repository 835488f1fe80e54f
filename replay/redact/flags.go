package redact

import "bytes"

// programs are the letters of the flags with which programs take passwords.
var programs = dated(origin{"the manual page of each program", "2026-11-24"},
	map[string]string{
		"mysql": "p", "mysqldump": "p", "mysqladmin": "p", "mysqlcheck": "p", "mysqlimport": "p", "mysqlshow": "p", "mariadb": "p", "mariadb-dump": "p", "mariadb-admin": "p",
		"sshpass": "p", "docker": "p", "podman": "p", "nerdctl": "p", "buildah": "p", "skopeo": "p", "helm": "p", "oc": "p", "mongo": "p", "mongosh": "p", "mongodump": "p",
		"mongorestore": "p", "mongoexport": "p", "mongoimport": "p", "az": "p", "htpasswd": "b", "redis-cli": "a", "valkey-cli": "a", "keydb-cli": "a",
		"ldapsearch": "w", "ldapadd": "w", "ldapmodify": "w", "ldapwhoami": "w", "ldapdelete": "w", "ldappasswd": "ws", "sqlcmd": "P", "bcp": "P", "isql": "P", "tsql": "P",
		"mosquitto_pub": "P", "mosquitto_sub": "P", "cqlsh": "p", "nodetool": "w", "rabbitmqadmin": "p", "clickhouse-client": "p", "influx": "p", "kinit": "w",
		"snmpwalk": "c", "snmpget": "c", "snmpset": "c", "snmpgetnext": "c", "snmpbulkwalk": "c", "snmpbulkget": "c", "snmptable": "c", "snmpdf": "c", "snmptrap": "c", "snmpinform": "c",
		"snmpstatus": "c", "onesixtyone": "c", "check_snmp": "C",
		"openssl": "k", "unrar": "p", "rar": "p", "racadm": "p", "curlftpfs": "p", "xfreerdp": "p", "rdesktop": "p", "psexec": "p", "wmic": "p", "crackmapexec": "p", "evil-winrm": "p", "svn": "p", "lftp": "p", "ncftpput": "p", "ncftpget": "p",
		"smbclient": "p", "zip": "P", "unzip": "P", "7z": "p", "winexe": "p", "ipmitool": "P", "vault": "p",
	})

// usersFlags take user:password.
var usersFlags = dated(origin{"the manual pages of curl, wget, skopeo, Samba and others that take user:password", "2026-11-24"},
	map[string]bool{"u": true, "user": true, "proxy-user": true, "U": true, "userpass": true, "auth": true, "a": true, "creds": true, "src-creds": true, "dest-creds": true, "basic-auth": true})

// stopWords follow a flag in a sentence about it.
var stopWords = dated(origin{"sentences about flags in the usage texts of programs", "2026-11-24"},
	set("to is for and or the flag must in with if was not option argument can may as are has a an be"))

// flag finds the value of a flag that begins at i.
func (x *texts) flag(s []byte, i int) (from, to int, why string) {
	at := i + 1
	if at < len(s) && s[at] == '-' {
		at++
	}
	end := at
	for end < len(s) && end < at+maxName && (isWord(s[end]) || s[end] == '-' || s[end] == '.') {
		end++
	}
	if end == at {
		return 0, 0, ""
	}
	name := s[at:end]
	if at == i+1 && len(name) > 1 {
		begin := commandBefore(s, i)
		if n := x.attached(program(s[begin:i]), s[at:at+wordLength(s[at:])]); n > 0 {
			return at + n, at + wordLength(s[at:]), "value of -" + string(name[:1])
		}
	}
	from = end
	if from < len(s) && s[from] == '=' {
		if !usersFlags[string(name)] {
			return 0, 0, "" // see assigned
		}
		from++
	} else {
		for from < len(s) && (s[from] == ' ' || s[from] == '\t' || s[from] == '\\' && from+1 < len(s) && s[from+1] == '\n' || s[from] == '\n' && s[from-1] == '\\') {
			from++
		}
		if from == end {
			return 0, 0, ""
		}
	}
	from, to = x.word(s, from, false)
	if to <= from || s[from] == '-' || stopWords[string(s[from:to])] {
		return 0, 0, ""
	}
	for to > from && (s[to-1] == ';' || s[to-1] == ')') && s[from-1] != '"' && s[from-1] != '\'' {
		to--
	}
	known := ""
	if len(name) == 1 {
		known = program(s[commandBefore(s, i):i])
	}
	n, ok := x.flagged(known, name, s[from:to])
	if !ok {
		return 0, 0, ""
	}
	return from + n, to, "value of -" + string(s[i+1:end])
}

// slashed finds the value of a flag as Windows has them, /password:VALUE and /p:VALUE. The slash
// stands at i.
func (x *texts) slashed(s []byte, i int) (from, to int, why string) {
	end := i + 1
	for end < len(s) && end-i < 32 && (isAlnum(s[end]) || s[end] == '-') {
		end++
	}
	if end == i+1 || end >= len(s) || s[end] != ':' {
		return 0, 0, ""
	}
	name := s[i+1 : end]
	h := x.names.of(name)
	if letters := ""; len(name) < 3 {
		if letters = program(s[commandBefore(s, i):i]); letters == "" || bytes.IndexByte([]byte(letters), lower(name[len(name)-1])) < 0 {
			return 0, 0, ""
		}
		h = password
	}
	from, to = x.word(s, end+1, false)
	if h < aSecret || !h.isSecret(s[from:to]) || portLike(s[from:to]) {
		return 0, 0, ""
	}
	return from, to, "value of " + string(s[i:end])
}

// wordLength returns how long the word is that s begins with.
func wordLength(s []byte) int {
	if len(s) > 1 && (s[1] == '\'' || s[1] == '"') { // -p'x y'
		_, to := quoted(s, 1)
		return to
	}
	for i, c := range s {
		if c <= ' ' || c == '"' || c == '\'' || c == ';' || c == '|' || c == '&' {
			return i
		}
	}
	return len(s)
}

// commandBefore returns where the command begins that i is in.
func commandBefore(s []byte, i int) int {
	for least := max(0, i-4*maxName); i > least; i-- {
		if c := s[i-1]; c == '\n' && (i < 2 || s[i-2] != '\\') || c == ';' || c == '|' || c == '&' || c == '(' || c == '`' {
			break
		}
	}
	return i
}

// program returns the letters of the last known program in a command.
func program(command []byte) (letters string) {
	for word := range bytes.FieldsSeq(command) {
		word = bytes.Trim(word, `"'[],`)
		if slash := bytes.LastIndexByte(word, '/'); slash >= 0 {
			word = word[slash+1:]
		}
		if l, ok := programs[string(word)]; ok {
			letters = l
		}
	}
	return letters
}

// flagged reports whether the value of a flag is a secret, and where in the value the
// secret begins. letters are the program's flags for passwords. name has no dashes.
func (x *texts) flagged(letters string, name, value []byte) (from int, ok bool) {
	if isReference(value) {
		return 0, false
	}
	if h := x.names.of(name); len(name) > 1 && h > nothing && h.isSecret(value) {
		return 0, true
	}
	if len(name) == 1 {
		if bytes.IndexByte([]byte(letters), name[0]) >= 0 {
			return 0, !portLike(value) || bytes.IndexByte(value, ':') < 0 // docker run -p 80:80
		}
		if (name[0] == 'p' || name[0] == 'P') && letters == "" && looksSecret(value) && !portLike(value) {
			return 0, true
		}
	}
	if string(name) == "U" || string(name) == "user" { // of Samba's programs: user%password
		if at := bytes.IndexByte(value, '%'); at > 0 && at+1 < len(value) && value[at+1] != '{' && !isReference(value[at+1:]) {
			return at + 1, true
		}
	}
	if comma := bytes.IndexByte(value, ','); string(name) == "u" && comma > 0 && bytes.Count(value, []byte{','}) == 1 && looksSecret(value[comma+1:]) { // lftp
		return comma + 1, true
	}
	if usersFlags[string(name)] {
		if colon := bytes.IndexByte(value, ':'); colon > 0 && colon+1 < len(value) && !isPort(value[colon+1:]) && value[colon+1] != '/' && !isReference(value[colon+1:]) {
			return colon + 1, true
		}
	}
	return 0, false
}

// attached returns where the password begins in an argument such as -pSECRET. arg is
// the argument without its dash. It returns 0 if there is no password.
func (x *texts) attached(letters string, arg []byte) int {
	if len(arg) < 3 || bytes.IndexByte(arg, '=') > 0 && isName(string(arg[:bytes.IndexByte(arg, '=')])) {
		return 0
	}
	value := arg[1:]
	switch {
	case isReference(value):
		return 0
	case letters != "" && bytes.IndexByte([]byte(letters), arg[0]) >= 0:
		if value[0] == '\'' || value[0] == '"' {
			return 2
		}
		return 1
	case arg[0] == 'u' && bytes.IndexByte(value, ':') > 0:
		if from, ok := x.flagged("", arg[:1], value); ok {
			return 1 + from
		}
	case arg[0] == 'p' && letters == "" && len(value) >= 6 && looksSecret(value) && !portLike(value) && bytes.IndexByte(value, '/') < 0:
		return 1
	}
	return 0
}

// portLike reports whether a value is a port, a range of ports, or an address.
func portLike(v []byte) bool {
	for _, c := range v {
		if (c < '0' || c > '9') && c != ':' && c != '.' && c != '-' && c != '/' && c != ',' {
			return false
		}
	}
	return true
}
