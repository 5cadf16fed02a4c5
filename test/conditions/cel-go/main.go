// Asks cel-go what it makes of each text under each cast, one JSON line for each: what our own
// conversions are compared with. Run by hand: go run . < texts.ndjson > answers.ndjson
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"cel.dev/cel-go/cel"
)

type asked struct {
	Cast string `json:"cast"`
	Text string `json:"text"`
}

type answered struct {
	asked
	Value *string `json:"value"`
}

func main() {
	env, err := cel.NewEnv(cel.Variable("text", cel.StringType))
	check(err)
	programs := map[string]cel.Program{}
	for _, cast := range []string{"int", "double", "bool", "timestamp", "duration"} {
		ast, issues := env.Compile(cast + "(text)")
		check(issues.Err())
		programs[cast], err = env.Program(ast)
		check(err)
	}
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	for in.Scan() {
		var one asked
		check(json.Unmarshal(in.Bytes(), &one))
		value, _, err := programs[one.Cast].Eval(map[string]any{"text": one.Text})
		answer := answered{asked: one}
		if err == nil {
			text := written(value.Value())
			answer.Value = &text
		}
		line, err := json.Marshal(answer)
		check(err)
		fmt.Fprintln(out, string(line))
	}
	check(out.Flush())
}

func written(value any) string {
	switch value := value.(type) {
	case time.Time:
		return fmt.Sprintf("%d.%09d", value.Unix(), value.Nanosecond())
	case time.Duration:
		return fmt.Sprintf("%d", value.Nanoseconds())
	case float64:
		return fmt.Sprintf("%.17g", value)
	default:
		return fmt.Sprint(value)
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
