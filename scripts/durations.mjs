/**
 * A vitest reporter: `files`, the time of each including hooks, as `[{ file, seconds, from, to }]`; `left`, the tests that
 * the machine could not run, as `[{ file, needs }]`; `errors`, the number of errors outside of tests.
 */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from './prepare.mjs'

export default class Durations {
  #files = []
  #left = []

  onTestModuleEnd(module) {
    const to = Date.now()
    const { duration } = module.diagnostic()
    const file = relative(ROOT, module.moduleId)
    this.#files.push({ file, seconds: duration / 1000, from: to - duration, to })
    for (const test of module.children.allTests('skipped')) {
      const { needs } = test.meta()
      if (needs) this.#left.push({ file, needs })
    }
  }

  onTestRunEnd(_modules, errors) {
    const result = { files: this.#files, left: this.#left, errors: errors.length }
    writeFileSync(process.env.TEST_DURATIONS, JSON.stringify(result))
  }
}
