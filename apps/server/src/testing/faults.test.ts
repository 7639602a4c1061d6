/** Every client of an outside system against every fault: only a certain outcome is reported as certain. */
import { rmSync } from 'node:fs'
import { type AdapterCode, adapters } from '@ordinator/model/areas/exchange/exchangeMessage'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { adaptersOf } from '#areas/exchange/health.ts'
import { mdlpOf } from '#areas/warehouse/mdlp/wire.ts'
import { AdapterFault } from '#platform/adapter.ts'
import { HttpError } from '#platform/errors.ts'
import type { Outcome } from '#platform/outboxMessage.ts'
import { type AtolOnlineSimulator, startAtolOnlineSimulator } from './atolOnlineSimulator.ts'
import { clinic, inClinic, mdlp, numbers, numbersAsked, sellers } from './faultClinic.ts'
import { cloudKkt, printed, truths, verdictOf, type Wire, type Wires } from './faultVerdicts.ts'
import {
  agent,
  asterisk,
  BANK,
  counter,
  mail,
  messenger,
  models,
  registers,
  shop,
  sms,
  terminal,
} from './faultWires.ts'
import { MAX_TOKEN, startMaxSimulator } from './maxSimulator.ts'
import { outboxDue } from './outboxDue.ts'
import { type Fault, faults } from './simulator.ts'
import { startTelegramSimulator, TOKEN } from './telegramSimulator.ts'
import { startVkSimulator, VK_TOKEN } from './vkSimulator.ts'
import { startWhatsappSimulator, WHATSAPP_SECRET, WHATSAPP_SENDER, WHATSAPP_TOKEN } from './whatsappSimulator.ts'

const cards = ['eln', 'snils', 'tfoms', 'mdlp', 'egisz', 'nsi', 'mango'] as const

describe('an outside system', () => {
  let wires: Record<AdapterCode, Wires>
  let all: { name: string; wire: Wire }[]

  beforeAll(async () => {
    const { llm, asr } = await models()
    wires = {
      ...(await inClinic()),
      ...{ sms: await sms(), mail: await mail(), ami: await asterisk(), agent: await agent() },
      ...{ kkt: await registers(), terminal: await terminal(), yookassa: await shop(), metrika: await counter() },
      ...{ sellers: await sellers(), llm, asr },
      ...{ laboratory: { files: 'Folders of files, no network: areas/laboratory/partner.test.ts' } },
      telegram: await messenger('telegram', startTelegramSimulator, { token: TOKEN }),
      vk: await messenger('vk', startVkSimulator, { token: VK_TOKEN }),
      max: await messenger('max', startMaxSimulator, { token: MAX_TOKEN }),
      whatsapp: await messenger(
        'whatsapp',
        startWhatsappSimulator,
        { token: WHATSAPP_TOKEN, sender: WHATSAPP_SENDER, appSecret: WHATSAPP_SECRET },
        '79161000001',
      ),
    }
    all = Object.values(wires)
      .filter((of): of is Readonly<Record<string, Wire>> => typeof of.files !== 'string')
      .flatMap((of) => Object.entries(of).map(([name, wire]) => ({ name, wire })))
    expect(await acted('first')).toEqual(all.map(({ name }) => [name, 'done']))
  })
  afterAll(async () => {
    await clinic?.close()
    await Promise.all([...new Set((all ?? []).map(({ wire }) => wire.by))].map((by) => by.close()))
    rmSync(BANK, { recursive: true, force: true })
  })

  const acted = (key: string) =>
    Promise.all(all.map(async ({ name, wire }, at) => [name, await wire.act(`${key}-${at}`)] as const))
  const setAll = (fault: Fault | undefined) => {
    for (const { wire } of all) wire.by.fault = fault
  }

  it('is in the matrix of faults, every one of the exchange journal', () => {
    expect(Object.keys(wires).sort()).toEqual(Object.keys(adapters).sort())
  })

  it.each(Object.keys(faults) as Fault[])('is reported as it is: %s', async (fault) => {
    setAll(fault)
    const shown = await acted(fault)
    setAll(undefined)
    for (const [at, { name, wire }] of all.entries())
      expect
        .soft([name, shown[at]?.[1]])
        .toEqual([name, expect.toBeOneOf([...(wire.truths?.[fault] ?? truths[fault])])])
    await Promise.all(all.map(({ wire }) => wire.signIn?.()))
    // The next request is as good as the first.
    expect(await acted(`after-${fault}`)).toEqual(all.map(({ name }) => [name, 'done']))
  })

  it.each((Object.keys(faults) as Fault[]).filter((fault) => fault !== 'silent'))(
    'shows on its card: %s',
    async (fault) => {
      const on = (await adaptersOf(clinic.context)).filter(({ key }) => (cards as readonly string[]).includes(key))
      expect(on.map(({ key, mode }) => [key, mode !== 'off'])).toEqual(
        expect.arrayContaining(cards.filter((key) => key !== 'mango').map((key) => [key, true])),
      )
      setAll(fault)
      const outcomes = await Promise.all(
        on.map(({ check }) =>
          Promise.resolve(check()).then(
            () => 'works',
            (error: unknown) => (error instanceof AdapterFault || error instanceof HttpError ? 'reported' : error),
          ),
        ),
      )
      setAll(undefined)
      const wanted = {
        late: ['works'],
        twice: ['works', 'reported'],
        refused: ['reported'],
        fails: ['reported'],
        busy: ['reported'],
      }
      const right =
        (wanted as Partial<Record<Fault, string[]>>)[fault] ??
        (fault === 'stranger' ? ['reported'] : ['works', 'reported'])
      for (const [at, { key }] of on.entries()) expect.soft([key, outcomes[at]]).toEqual([key, expect.toBeOneOf(right)])
    },
  )

  it('does not leave numbers of sick leaves to a person where the sign-in was refused', async () => {
    setAll('stranger')
    await expect(numbersAsked()).rejects.toMatchObject({ mayHaveArrived: false, why: 'stranger' })
    setAll(undefined)
    expect(await numbers()).toBe('done')
  })

  describe('signed in to by a token', () => {
    let cloud: AtolOnlineSimulator
    beforeAll(async () => {
      cloud = await startAtolOnlineSimulator()
    })
    afterAll(() => cloud.close())

    const rows = {
      'АТОЛ Онлайн': () => ({
        simulator: cloud as { tokens: number; asked: number; mood: string; expire(): void },
        works: 'works',
        act: (key: string) => verdictOf(() => printed(cloudKkt(cloud.url), key)),
        signIn: async () => cloudKkt(cloud.url).signIn?.(),
      }),
      МДЛП: () => ({
        simulator: mdlp as { tokens: number; asked: number; mood: string; expire(): void },
        works: 'accepts',
        act: () => verdictOf(async () => (await mdlpOf(clinic.context))?.states(['04607143560598Serial0000001'])),
        signIn: async () => (await mdlpOf(clinic.context))?.check(),
      }),
    } as const

    it.each(Object.keys(rows) as (keyof typeof rows)[])('%s renews a token once, and does not hammer', async (name) => {
      const { simulator: played, works, act, signIn } = rows[name]()
      await signIn()
      expect(await act('first')).toBe('done')
      // It ends early, or another system of the login takes it: renewed once, and the message goes out.
      const before = played.tokens
      played.expire()
      expect(await Promise.all([act('second'), act('third')])).toEqual(['done', 'done'])
      expect(played.tokens - before).toBeLessThanOrEqual(2)
      // Taken at each turn: certain, after one renewal.
      const taken = played.tokens
      played.mood = 'taken'
      expect(await act('fourth')).toBe('certain')
      expect(played.tokens - taken).toBeLessThanOrEqual(2)
      // Refused for good: reported at once, and asked once for all messages.
      played.mood = 'refuses'
      const asked = played.asked
      for (const key of ['fifth', 'sixth', 'seventh']) expect(await act(key)).toBe('certain')
      if (name === 'АТОЛ Онлайн') await expect(cloudKkt(cloud.url).state()).rejects.toThrow()
      expect(played.asked - asked).toBe(1)
      // A person checks after the password is right again.
      await expect(signIn()).rejects.toThrow()
      played.mood = works
      await signIn()
      expect(await act('eighth')).toBe('done')
    })
  })

  describe('with a queue', () => {
    const kinds = ['done', 'accepted', 'refused', 'failed', 'unknown', 'later', 'absent'] as const
    const outcomeOf = (kind: (typeof kinds)[number]): Outcome =>
      kind === 'refused'
        ? { kind, reasons: [] }
        : kind === 'later'
          ? { kind, seconds: 60 }
          : kind === 'failed' || kind === 'unknown'
            ? { kind, error: 'Сбой' }
            : { kind }
    afterAll(() => vi.restoreAllMocks())

    it('ends each message, or leaves it due or with a button, whatever its answers', async () => {
      const { outbox, db } = clinic.context
      const registered = outbox.adapters()
      expect(registered.length).toBeGreaterThan(10)
      let left: (typeof kinds)[number][] = []
      const next = async () => outcomeOf(left.shift() ?? 'done')
      for (const adapter of registered) {
        vi.spyOn(adapter, 'send').mockImplementation(next)
        if (adapter.ask) vi.spyOn(adapter as Required<typeof adapter>, 'ask').mockImplementation(next)
        if (adapter.settled) vi.spyOn(adapter as Required<typeof adapter>, 'settled').mockResolvedValue()
        if (adapter.settledMany) vi.spyOn(adapter as Required<typeof adapter>, 'settledMany').mockResolvedValue()
      }
      let made = 0
      const check = async (
        adapter: (typeof registered)[number],
        script: readonly (typeof kinds)[number][],
        act: 'repeat' | 'cancel' | 'settleAsDone',
        payload: object,
      ) => {
        await db.query(sql`delete from outbox`)
        left = [...script]
        const lane = adapter.lane ?? adapter.code
        const operation = 'проверка'
        const key = `button-${made++}`
        const { id } = await db.tx((tx) =>
          outbox.add(tx, { adapter: adapter.code, operation, title: 'Проверка', key, lane, payload }),
        )
        for (const _ of script) {
          await outboxDue(db)
          await outbox.run(lane)
          // A run of the server itself may have claimed it before.
          await expect.poll(() => db.one(sql`select 1 from outbox where "state" = 'claimed'`)).toBeUndefined()
        }
        const row = await db.one<{ state: string; isDue: boolean }>(
          sql`select "state", "dateDue" is not null as "isDue" from outbox where "id" = ${id}`,
        )
        if (!row) return
        const changed = await outbox[act]([id], 'Проверка')
        const { state } = row
        const asIs = [lane, script, state, act]
        // A stopped one is repeated, one of an unknown outcome settled or repeated; all others are cancelled.
        if (act === 'repeat' && (state === 'dead' || state === 'unknown'))
          expect([...asIs, changed]).toEqual([...asIs, 1])
        if (act === 'settleAsDone' && state === 'unknown') expect([...asIs, changed]).toEqual([...asIs, 1])
        if (act === 'cancel' && state !== 'dead') expect([...asIs, changed]).toEqual([...asIs, 1])
      }
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...registered),
          fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 4 }),
          fc.constantFrom(...(['repeat', 'cancel', 'settleAsDone'] as const)),
          fc.constantFrom({}, { kind: 'numbers' }),
          check,
        ),
        { numRuns: runs(60, 1_000) },
      )
    })
  })
})
