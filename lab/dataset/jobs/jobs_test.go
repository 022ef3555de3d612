// Package jobs checks that the job files for building a dataset on many machines agree with npdb's
// flags.
package jobs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestSlurm checks that Slurm's array has as many tasks as the flag --shard says, and that each task
// gets its number.
func TestSlurm(t *testing.T) {
	raw, err := os.ReadFile("slurm.sh")
	if err != nil {
		t.Fatal(err)
	}
	last := regexp.MustCompile(`(?m)^#SBATCH --array=0-(\d+)$`).FindSubmatch(raw)
	shares := regexp.MustCompile(`(?m)^shares=(\d+) `).FindSubmatch(raw)
	var tasks, of int
	if _, err := fmt.Sscan(string(last[1])+" "+string(shares[1]), &tasks, &of); err != nil || tasks+1 != of {
		t.Errorf("tasks 0 to %d of %d: %v", tasks, of, err)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash in PATH")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "npdb"), []byte("#!/bin/sh\nprintf '%s|' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash, "slurm.sh")
	cmd.Env = []string{"PATH=" + dir + ":/usr/bin:/bin", "OUT=/a b", "SLURM_ARRAY_TASK_ID=7", "SLURM_CPUS_PER_TASK=8"}
	if said, err := cmd.CombinedOutput(); err != nil || string(said) != "dataset|--out|/a b|--seed|1|--count|1000000|--shard|7/32|-j|8|" {
		t.Errorf("%v %s", err, said)
	}
	cmd = exec.Command(bash, "slurm.sh")
	cmd.Env = []string{"PATH=" + dir, "SLURM_ARRAY_TASK_ID=7", "SLURM_CPUS_PER_TASK=8"}
	if said, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(said), "OUT: the folder to write to") {
		t.Errorf("%v %s", err, said)
	}
}

// TestKubernetes checks that the Kubernetes Job has as many pods as the flag --shard says.
func TestKubernetes(t *testing.T) {
	raw, err := os.ReadFile("kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var job struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Spec       struct {
			CompletionMode           string `yaml:"completionMode"`
			Completions, Parallelism int
			Template                 struct {
				Spec struct {
					RestartPolicy string `yaml:"restartPolicy"`
					Containers    []struct {
						Args         []string
						VolumeMounts []struct {
							Name, MountPath string `yaml:",omitempty"`
						} `yaml:"volumeMounts"`
					}
					Volumes []struct{ Name string }
				}
			}
		}
	}
	if err := yaml.Unmarshal(raw, &job); err != nil {
		t.Fatal(err)
	}
	pod := job.Spec.Template.Spec
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Spec.CompletionMode != "Indexed" || pod.RestartPolicy != "Never" || len(pod.Containers) != 1 {
		t.Fatalf("%+v", job)
	}
	c := pod.Containers[0]
	want := fmt.Sprintf("--shard=$(JOB_COMPLETION_INDEX)/%d", job.Spec.Completions)
	if !strings.Contains(strings.Join(c.Args, " "), want) || c.Args[0] != "dataset" || job.Spec.Parallelism > job.Spec.Completions {
		t.Errorf("%q has no %s", c.Args, want)
	}
	if len(c.VolumeMounts) != 1 || len(pod.Volumes) != 1 || c.VolumeMounts[0].Name != pod.Volumes[0].Name {
		t.Errorf("%+v %+v", c.VolumeMounts, pod.Volumes)
	}
}
