// An agent in plain Go: it says what it means to do, and waits for the verdict.
//
//	go run . mailer send_email '{"to": "ann@example.org"}' 'she asked for the minutes'
//	go run . ann KEYS/ann.pem
//
// The second is a person, as confirmer.go has it.
//
// It needs nats.go and nothing of Warrant. The log is WARRANT_LOG; the file WARRANT_NATS_NKEY_FILE
// has the agent's key, if it has one. It ends with 0 (allow), 3 (deny) or 4 (no verdict in time),
// and must never act on anything but an allow.
package main

import (
	"cmp"
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// What the server refuses with these it may take a moment later.
var forTheMoment = []int{408, 429, 503}

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
	connection       *nats.Conn
	api, realm, name string
	era              int
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
	// An agent that listens only after publishing may miss the notice.
	notices, err := a.connection.SubscribeSync(a.realm + ".notice." + address)
	if err != nil {
		return nil, err
	}
	defer notices.Unsubscribe()
	if err := a.connection.Flush(); err != nil {
		return nil, err
	}
	shard := fmt.Sprintf("%x", sha256.Sum256([]byte(a.name)))[:1]
	subject := fmt.Sprintf("%s.in.%s.vlp.%s", a.realm, shard, address)
	if err := a.publish(subject, message, end); err != nil {
		return nil, err
	}
	// The era may be rotated meanwhile: a notice names the verdict with the era that it is in.
	eras := []int{a.era}
	again := time.Now().Add(5 * time.Second)
	for pause := 50 * time.Millisecond; time.Until(end) > 0; pause = min(2*pause, 2*time.Second) {
		if time.Now().After(again) {
			// A server that failed may have lost it; where it did not, the same bytes do no harm.
			if err := a.connection.Publish(subject, message); err != nil {
				return nil, err
			}
			again = time.Now().Add(5 * time.Second)
		}
		notice, err := notices.NextMsg(min(pause, time.Until(end)))
		if err != nil && !errors.Is(err, nats.ErrTimeout) {
			return nil, err
		}
		if err == nil {
			eras = a.erasIn(string(notice.Data), address, eras)
		} else if pause > time.Second {
			eras = []int{a.era, a.era + 1}
		}
		for _, era := range eras {
			// A notice is a hint, and anyone's; the verdict is what is bound under its name.
			if fact := a.get(era, address); fact != nil {
				return verdictOn(message, fact)
			}
		}
	}
	return nil, errNoVerdict
}

// publish returns when the message is taken in. The same bytes again are harmless, so they are sent
// until then.
func (a agent) publish(subject string, message []byte, end time.Time) error {
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		again, err := a.try(subject, message)
		if err == nil || !again || time.Now().Add(pause).After(end) {
			return err
		}
		time.Sleep(pause/2 + rand.N(pause))
	}
}

// try publishes once, and says whether what was refused may be taken a moment later.
func (a agent) try(subject string, message []byte) (bool, error) {
	answer, err := a.connection.Request(subject, message, 5*time.Second)
	if err != nil {
		return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, nats.ErrTimeout), err
	}
	var taken struct {
		Error *struct {
			Code        int    `json:"code"`
			Description string `json:"description"`
		} `json:"error"`
	}
	if err := json.Unmarshal(answer.Data, &taken); err != nil {
		return false, err
	}
	refused := taken.Error
	// An earlier try of ours was taken in, or the digest of the verdict will show otherwise.
	if refused == nil || strings.Contains(refused.Description, "per subject") {
		return false, nil
	}
	err = fmt.Errorf("nothing is taken in: %s", refused.Description)
	return slices.Contains(forTheMoment, refused.Code), err
}

// erasIn is the era that a notice names with our verdict; the eras before where it names none.
func (a agent) erasIn(notice, address string, before []int) []int {
	rest, isOurs := strings.CutPrefix(notice, a.realm+".")
	number, isVerdict := strings.CutSuffix(rest, ".verdict."+address)
	era, err := strconv.Atoi(number)
	if !isOurs || !isVerdict || err != nil {
		return before
	}
	return []int{era}
}

// get returns the verdict that is bound in that era, or nil: not yet, or no such era.
func (a agent) get(era int, address string) []byte {
	name := fmt.Sprintf("%s.%d.verdict.%s", a.realm, era, address)
	get := fmt.Sprintf("%s.DIRECT.GET.LOG-%s-%d.%s", a.api, a.realm, era, name)
	found, err := a.connection.Request(get, nil, 5*time.Second)
	if err != nil || found.Header.Get("Nats-Subject") != name {
		return nil
	}
	return found.Data
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
	chance, _ := crand.Int(crand.Reader, new(big.Int).Lsh(big.NewInt(1), 80))
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
	realm := cmp.Or(os.Getenv("WARRANT_REALM"), "main")
	connection, api, err := connect()
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	if len(os.Args) == 3 {
		log.Fatal(confirm(connection, realm, os.Args[1], os.Args[2]))
	}
	if len(os.Args) != 5 {
		log.Fatal("usage: agent NAME TOOL ARGS JUSTIFICATION, or PERSON KEY_FILE")
	}
	var args map[string]any
	if err := json.Unmarshal([]byte(os.Args[3]), &args); err != nil {
		log.Fatal(err)
	}
	wait, err := time.ParseDuration(cmp.Or(os.Getenv("WARRANT_WAIT_SECONDS"), "10") + "s")
	if err != nil {
		log.Fatal(err)
	}
	era, err := strconv.Atoi(cmp.Or(os.Getenv("WARRANT_ERA"), "1"))
	if err != nil {
		log.Fatal(err)
	}
	asking := agent{connection, api, realm, os.Args[1], era}
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
