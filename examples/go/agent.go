// An agent in plain Go: it says what it means to do, and waits for the verdict.
//
//	go run . mailer send_email '{"to": "ann@example.org"}' 'she asked for the minutes'
//
// It needs nats.go and nothing of Warrant. The log is WARRANT_LOG; the file WARRANT_NATS_NKEY_FILE
// has the agent's key, if it has one. It ends with 0 (allow), 3 (deny) or 4 (no verdict in time),
// and must never act on anything but an allow.
package main

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math/big"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// Both mean that the name is bound: by an earlier try of ours, or else the verdict is about another
// message.
const boundAlready, boundAlreadyExpected = 10077, 10071

type verdict struct {
	Outcome string `json:"outcome"`
	Reasons []struct {
		Code    string `json:"code"`
		Recover string `json:"recover"`
	} `json:"reasons"`
	Message struct {
		Digest string `json:"digest"`
	} `json:"message"`
}

var errNoVerdict = errors.New("no verdict in time")

type agent struct {
	connection            *nats.Conn
	api, realm, era, name string
}

// ask publishes the intent under the agent's own name and waits until its verdict is bound.
func (a agent) ask(intent map[string]any, wait time.Duration) (*verdict, error) {
	id := ulid()
	address := fmt.Sprintf("%s.-.%s", a.name, id)
	message, err := json.Marshal(map[string]any{
		"id": "MSG-" + id, "protocol": "VLP/1.1", "type": "query", "sender": a.name,
		"timestamp": time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), "confidence": 0.8,
		"content": fmt.Sprintf("use %s", intent["tool"]), "payload": map[string]any{"intent": intent},
	})
	if err != nil {
		return nil, err
	}
	end := time.Now().Add(wait)
	// Whoever listens only after publishing may miss the notice.
	notices, err := a.connection.SubscribeSync(a.realm + ".notice." + address)
	if err != nil {
		return nil, err
	}
	defer notices.Unsubscribe()
	if err := a.connection.Flush(); err != nil {
		return nil, err
	}
	if err := a.bind(a.place("vlp")+address, message, wait); err != nil {
		return nil, err
	}
	name := a.place("verdict") + address
	get := fmt.Sprintf("%s.DIRECT.GET.LOG-%s-%s.%s", a.api, a.realm, a.era, name)
	for pause := 50 * time.Millisecond; time.Until(end) > 0; pause *= 2 {
		// A notice is a hint, and anybody's; the verdict is what is bound under its name.
		_, err := notices.NextMsg(min(pause, time.Until(end)))
		if err != nil && !errors.Is(err, nats.ErrTimeout) {
			return nil, err
		}
		found, err := a.connection.Request(get, nil, wait)
		if err != nil {
			return nil, err
		}
		if found.Header.Get("Nats-Subject") == name {
			return verdictOn(message, found.Data)
		}
	}
	return nil, errNoVerdict
}

func (a agent) place(kind string) string {
	return fmt.Sprintf("%s.%s.%s.", a.realm, a.era, kind)
}

func (a agent) bind(name string, message []byte, wait time.Duration) error {
	answer, err := a.connection.Request(name, message, wait)
	if err != nil {
		return err
	}
	var bound struct {
		Error *struct {
			Code        int    `json:"err_code"`
			Description string `json:"description"`
		} `json:"error"`
	}
	if err := json.Unmarshal(answer.Data, &bound); err != nil {
		return err
	}
	refused := bound.Error
	if refused == nil || refused.Code == boundAlready || refused.Code == boundAlreadyExpected {
		return nil
	}
	return fmt.Errorf("nothing is bound: %s", refused.Description)
}

func verdictOn(message, fact []byte) (*verdict, error) {
	var event struct {
		Data verdict `json:"data"`
	}
	if err := json.Unmarshal(fact, &event); err != nil {
		return nil, err
	}
	if event.Data.Message.Digest != fmt.Sprintf("sha256:%x", sha256.Sum256(message)) {
		return nil, errors.New("the verdict is about another message")
	}
	return &event.Data, nil
}

func ulid() string {
	const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	chance, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 80))
	number := new(big.Int).Lsh(big.NewInt(time.Now().UnixMilli()), 80)
	number.Or(number, chance)
	text := make([]byte, 26)
	for at := range text {
		rest := new(big.Int).Rsh(number, uint(125-5*at))
		text[at] = digits[rest.And(rest, big.NewInt(31)).Int64()]
	}
	return string(text)
}

// connect also says how JetStream is reached on the connection.
func connect() (*nats.Conn, string, error) {
	servers := cmp.Or(os.Getenv("WARRANT_LOG"), nats.DefaultURL)
	file := os.Getenv("WARRANT_NATS_NKEY_FILE")
	if file == "" {
		connection, err := nats.Connect(servers)
		return connection, "$JS.API", err
	}
	key, err := nats.NkeyOptionFromSeed(file)
	if err != nil {
		return nil, "", err
	}
	// This user may listen below this prefix alone, and reaches the log through its account.
	var options nats.Options
	if err := key(&options); err != nil {
		return nil, "", err
	}
	connection, err := nats.Connect(servers, key, nats.CustomInboxPrefix("_INBOX_"+options.Nkey))
	return connection, "LOG.API", err
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 5 {
		log.Fatal("usage: agent NAME TOOL ARGS JUSTIFICATION")
	}
	var args map[string]any
	if err := json.Unmarshal([]byte(os.Args[3]), &args); err != nil {
		log.Fatal(err)
	}
	wait, err := time.ParseDuration(cmp.Or(os.Getenv("WARRANT_WAIT_SECONDS"), "10") + "s")
	if err != nil {
		log.Fatal(err)
	}
	connection, api, err := connect()
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	realm, era := cmp.Or(os.Getenv("WARRANT_REALM"), "main"), cmp.Or(os.Getenv("WARRANT_ERA"), "1")
	asking := agent{connection, api, realm, era, os.Args[1]}
	intent := map[string]any{"tool": os.Args[2], "args": args, "justification": os.Args[4]}
	answer, err := asking.ask(intent, wait)
	if errors.Is(err, errNoVerdict) {
		fmt.Println(err)
		os.Exit(4)
	}
	if err != nil {
		log.Fatal(err)
	}
	words := []string{answer.Outcome}
	for _, reason := range answer.Reasons {
		words = append(words, fmt.Sprintf("%s (%s)", reason.Code, reason.Recover))
	}
	fmt.Println(strings.Join(words, " "))
	if answer.Outcome != "allow" {
		os.Exit(3)
	}
}
