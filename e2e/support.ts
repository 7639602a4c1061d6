/** What the browser tests share: people of their own, sign-in, the watch for console errors, axe, the looks. */
import { randomUUID } from 'node:crypto'
import AxeBuilder from '@axe-core/playwright'
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
  type WebError,
} from 'playwright/test'

export { expect }

/** The key of the access token in local storage. */
export const TOKEN_KEY = 'ordinator:token'

export interface Person {
  id: number
  login: string
  password: string
  /** As lists and heads show it. */
  fio: string
}

interface PersonFields {
  /** Names of roles: «Кладовщик». */
  roles?: string[]
  surname?: string
}

interface Answer {
  status: number
  body: any
}

/**
 * The clinic through its HTTP interface, as an administrator of this worker's own. The demo `admin` is used for a
 * moment to make that one: sign-ins of one login end each other's sessions, so no test may sign in as `admin`.
 */
export class Clinic {
  readonly url: string
  #token = ''
  #me: Person | undefined
  #roles: Map<string, number> | undefined

  constructor(url: string) {
    this.url = url
  }

  /** A call that must succeed. */
  async call<T = any>(method: string, path: string, body?: unknown): Promise<T> {
    let answer = await this.ask(method, path, body, this.#token)
    if (answer.status === 401 && this.#me) {
      this.#token = await this.token(this.#me)
      answer = await this.ask(method, path, body, this.#token)
    }
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body as T
  }

  async ask(method: string, path: string, body?: unknown, token = ''): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  }

  /** An access token of a new session, which ends the person's others. */
  async token({ login, password }: Pick<Person, 'login' | 'password'>): Promise<string> {
    const { body } = await this.ask('POST', '/auth/login', { login, password, forceLogin: true })
    if (!body.accessToken) throw new Error(`${login} does not get in: ${JSON.stringify(body)}`)
    return body.accessToken
  }

  /** The other worker may take the demo administrator's session away: then again. */
  async open(): Promise<this> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#token = await this.token({ login: 'admin', password: 'demo' })
        const me = await this.person({ roles: ['Администратор'] })
        this.#token = await this.token(me)
        this.#me = me
        return this
      } catch (error) {
        this.#roles = undefined
        if (attempt === 8) throw error
      }
    }
  }

  /** A new employee with a password that need not be changed. */
  async person({ roles = [], surname }: PersonFields = {}): Promise<Person> {
    const login = `e2e-${randomUUID().slice(0, 13)}`
    const given = surname ?? `Проверкин-${login.slice(4, 8)}`
    const { id, fio } = await this.call('POST', '/users', { login, surname: given, name: 'Пётр', middleName: 'Ильич' })
    for (const role of roles) await this.call('POST', '/user-roles', { idUser: id, idRole: await this.role(role) })
    const { password: first } = await this.call('POST', `/users/${id}/reset-password`, {})
    const password = `Пароль ${randomUUID()}`
    const token = await this.token({ login, password: first })
    await this.ask('POST', '/auth/change-password', { currentPassword: first, newPassword: password }, token)
    await this.ask('POST', '/auth/logout', {}, token)
    return { id, login, password, fio }
  }

  /** The id of a role by its name. */
  async role(name: string): Promise<number> {
    if (!this.#roles) {
      const { items } = await this.call('GET', '/roles?limit=200&fields=id,name')
      this.#roles = new Map(items.map((role: { id: number; name: string }) => [role.name, role.id]))
    }
    const id = this.#roles.get(name)
    if (id === undefined) throw new Error(`No role «${name}»`)
    return id
  }
}

/** Collects what the browser complains of. */
export class Complaints {
  readonly #found: string[] = []
  readonly #allowed: RegExp[] = []

  watch(context: BrowserContext): void {
    context.on('console', this.#onConsole)
    context.on('weberror', this.#onError)
  }

  /** The test causes this on purpose. Network lines read `… status of 401 (Unauthorized) <address>`. */
  allow(...patterns: RegExp[]): void {
    this.#allowed.push(...patterns)
  }

  list(): string[] {
    return this.#found.filter((text) => !this.#allowed.some((pattern) => pattern.test(text)))
  }

  #onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error' || message.type() === 'warning')
      this.#found.push(`${message.type()}: ${message.text()} ${message.location().url}`)
  }
  #onError = (error: WebError) => this.#found.push(`uncaught: ${error.error().stack ?? error.error()}`)
}

interface Fixtures {
  complaints: Complaints
  /** A page in a browser of its own: another computer. */
  visitor: (options?: BrowserContextOptions) => Promise<Page>
}

export const test = base.extend<Fixtures, { clinic: Clinic }>({
  clinic: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the names of the fixtures here
    async ({}, use, worker) => {
      await use(await new Clinic(worker.project.use.baseURL as string).open())
    },
    { scope: 'worker' },
  ],
  complaints: [
    async ({ context }, use) => {
      const complaints = new Complaints()
      complaints.watch(context)
      await use(complaints)
      expect(complaints.list(), 'complaints of the browser').toEqual([])
    },
    { auto: true },
  ],
  visitor: async ({ browser, complaints }, use) => {
    const opened: BrowserContext[] = []
    await use(async (options) => {
      const context = await browser.newContext(options)
      complaints.watch(context)
      opened.push(context)
      return context.newPage()
    })
    for (const context of opened) await context.close()
  },
})

/** Signs the browser of the page in, ending the person's other sessions; the page itself stays where it is. */
export async function signIn(page: Page, { login, password }: Pick<Person, 'login' | 'password'>): Promise<string> {
  const form = { login, password, rememberMe: '1', forceLogin: '1' }
  const answer = await page.request.post('/auth/login', { form })
  const { accessToken, errorText } = await answer.json()
  if (!accessToken) throw new Error(`${login} does not get in: ${errorText}`)
  const context = page.context()
  const state = await context.storageState()
  const origin = new URL(answer.url()).origin
  const localStorage = [{ name: TOKEN_KEY, value: accessToken as string }]
  await context.setStorageState({ ...state, origins: [{ origin, localStorage }] })
  return accessToken
}

/** Signs in by the form of the login page, which must be open. */
export async function fillLogin(page: Page, { login, password }: Pick<Person, 'login' | 'password'>): Promise<void> {
  await page.getByLabel('Логин').fill(login)
  await page.getByRole('textbox', { name: 'Пароль' }).fill(password)
  await page.getByRole('button', { name: 'Войти', exact: true }).click()
}

/** The head of the page, which every screen has. */
export const title = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name })

export const dark = (page: Page) => page.emulateMedia({ colorScheme: 'dark' })
export const light = (page: Page) => page.emulateMedia({ colorScheme: 'light' })
export const phone = (page: Page) => page.setViewportSize({ width: 360, height: 740 })

/** Nothing on the page breaks the rules of accessibility, as it stands now. */
export async function axe(page: Page, what = page.url()): Promise<void> {
  await still(page)
  const { violations } = await new AxeBuilder({ page }).analyze()
  const told = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map((n) => `  ${n.target} ${n.html.slice(0, 160)}`).join('\n')}`,
  )
  expect(told, `axe: ${what}`).toEqual([])
}

/** The same in light and in dark, and on a phone. */
export async function axeEverywhere(page: Page, what: string): Promise<void> {
  await axe(page, `${what}, light`)
  await dark(page)
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await axe(page, `${what}, dark`)
  await light(page)
}

/** A page is never wider than its window. */
export async function fits(page: Page): Promise<void> {
  const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(beyond).toBe(0)
}

/** Waits for movements that end. */
function still(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
    await Promise.all(ending.map((one) => one.finished.catch(() => undefined)))
  })
}
