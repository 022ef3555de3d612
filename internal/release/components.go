package main

import "path/filepath"

// cyclonedx lists the modules in a program as a CycloneDX bill of materials (SBOM).
const cyclonedx = "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0"

// components writes the list of the components of each program.
func (r *release) components() error {
	for _, t := range targets {
		err := r.run(nil, "go", "run", cyclonedx, "bin", "-json", "-std", "-noserial", "-notimestamp", "-version", r.version.Tag,
			"-output", filepath.Join(r.out, componentsFile(t, r.version)), r.programPath(t))
		if err != nil {
			return err
		}
	}
	return nil
}

// componentsFile returns the file name of the list for a target.
func componentsFile(t target, v version) string { return t.archive(v) + ".cdx.json" }
