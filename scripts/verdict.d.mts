interface Run {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

interface Suite {
  file?: string
  specs?: { title: string; line: number; tests: { status: string }[] }[]
  suites?: Suite[]
}

interface Verdict {
  passed: number
  failed: number
  unsteady: { file: string; name: string; why: string }[]
  broken: { file: string; name: string; why: string }[]
}

export function filesToRepeat(run: Run, errors: number): string[]
export function vitestVerdict(first: Run, again: Run | null): Verdict
export function browserVerdict(report: {
  stats: { expected: number; flaky: number; unexpected: number }
  suites: Suite[]
}): Verdict
export function leftOut(left: { file: string; needs: string }[]): string[]
