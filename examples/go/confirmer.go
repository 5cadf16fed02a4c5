package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

type object = map[string]any

// canonical is RFC 8785 for what reviews hold: keys sorted, numbers as they were written.
func canonical(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
	return strings.TrimSuffix(text.String(), "\n")
}

// digestOf is of all that a yes permits: what was sent is what the log has if this is its digest.
func digestOf(review object) string {
	agent := review["intent"].(object)["agent"]
	covered := object{"agent": agent, "log": review["log"], "terms": review["terms"]}
	for _, name := range []string{"gaps", "policies", "questions", "values"} {
		if all, has := review[name].([]any); has {
			texts := make([]string, len(all))
			for at, one := range all {
				texts[at] = canonical(one)
			}
			slices.Sort(texts)
			covered[name] = texts
		}
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(canonical(covered))))
}

// confirm shows each review that asks this person, and signs and sends the answer.
func confirm(connection *nats.Conn, realm, person, keyFile string) error {
	text, err := os.ReadFile(keyFile)
	if err != nil {
		return err
	}
	block, _ := pem.Decode(text)
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return err
	}
	key, text64 := parsed.(ed25519.PrivateKey), base64.RawURLEncoding.EncodeToString
	public := sha256.Sum256([]byte("ed25519:" + text64(key.Public().(ed25519.PublicKey))))
	reviews, err := connection.SubscribeSync(realm + ".toreview." + person + ".>")
	if err != nil {
		return err
	}
	_ = connection.Publish(realm+".missed."+person, nil)
	for terminal := bufio.NewScanner(os.Stdin); ; {
		message, err := reviews.NextMsg(time.Hour)
		if err != nil {
			return err
		}
		var fact struct {
			ID   string `json:"id"`
			Data object `json:"data"`
		}
		decoder := json.NewDecoder(bytes.NewReader(message.Data))
		decoder.UseNumber()
		if err := decoder.Decode(&fact); err != nil || digestOf(fact.Data) != fact.Data["digest"] {
			continue
		}
		terms := fact.Data["terms"].(object)
		questions := fact.Data["questions"].([]any)
		kinds := make([]string, len(questions))
		for at, one := range questions {
			kinds[at] = one.(object)["kind"].(string)
		}
		slices.Sort(kinds)
		fmt.Printf("%s %s (%s) [y REASON/N] ", terms["capability"], canonical(terms["args"]),
			strings.Join(slices.Compact(kinds), ", "))
		terminal.Scan()
		// What follows the `y` is the reason, without which no call without one of its own runs.
		yes, note, _ := strings.Cut(terminal.Text(), " ")
		answers := slices.Repeat([]bool{yes == "y"}, len(questions))
		said := object{"answers": answers, "confirmer": person, "digest": fact.Data["digest"],
			"intent": fact.Data["intent"], "review": fact.ID}
		// In whose place, where this person is the deputy of someone who is away.
		if absent, _ := url.PathUnescape(message.Header.Get("Warrant-For")); absent != "" {
			said["for"] = absent
		}
		if note != "" {
			said["note"] = note
		}
		name := strings.Replace(fact.ID, ".review.", ".decision.", 1) + "." + person
		signed := canonical(object{"data": said, "log": fact.Data["log"], "name": name})
		said["signature"] = object{"format": "ed25519", "key": text64(public[:12]),
			"value": text64(ed25519.Sign(key, []byte(signed)))}
		event := canonical(object{"basis": "0", "data": said, "datacontenttype": "application/json",
			"id": name, "source": "confirmer/" + person, "specversion": "1.0",
			"time": time.Now().UTC().Format(time.RFC3339), "type": "warrant.decision.v1"})
		once := nats.Header{"Nats-Expected-Last-Subject-Sequence": {"0"}}
		answer := &nats.Msg{Subject: name, Data: []byte(event), Header: once}
		bound, err := connection.RequestMsg(answer, 5*time.Second)
		if err != nil {
			return err
		}
		fmt.Println(string(bound.Data))
	}
}
