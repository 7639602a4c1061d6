import { createHmac } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#testing/webhookReceiver.ts'

const TIMEOUT = 400
let receiver: WebhookReceiver
let clinic: Clinic
let admin: Caller
let nobody: Caller
let made = 0

beforeAll(async () => {
  receiver = await startWebhookReceiver()
  clinic = await testApp({
    outbound: { allow: ['127.0.0.1'], timeout: TIMEOUT },
    prepare: async (app) => {
      await addPerson(app, 'chief', ['mainSettings', 'viewCustomers', 'editCustomers', 'viewTasksManagement'])
      await addPerson(app, 'clerk', ['viewCustomers', 'editCustomers'])
      await addPerson(app, 'keeper', ['mainSettings'])
    },
  })
  admin = clinic.as('chief')
  nobody = clinic.as('clerk')
})
afterAll(async () => {
  await clinic.close()
  await receiver.close()
})
beforeEach(async () => {
  await clinic.db.query(sql`update webhooks set "active" = false`)
  await clinic.db.query(sql`delete from outbox`)
  await settle()
  receiver.mood = 'takes'
  receiver.moodOf = undefined
  receiver.received.length = 0
})

const EVENTS = ['customers.create', 'customers.update', 'customers.delete']
const makeHook = async (more: object = {}) => {
  const hook = good(
    await admin.post('/webhooks', { name: `Вебхук ${++made}`, url: receiver.url, events: EVENTS, ...more }),
    201,
  )
  await settle()
  return hook as { id: number; url: string; name: string }
}
const makeCustomer = async (surname = 'Иванова') =>
  good(await nobody.post('/customers', { surname, name: 'Анна', gender: 'female' }), 201) as { id: number }
const hookOf = async (id: number) => good(await admin.get(`/webhooks/${id}`))
const messagesOf = async (id: number) =>
  good(await admin.get(`/exchange/messages?filter[idWebhook]=${id}&sort=id&limit=100`)).items as {
    id: number
    status: string
    attempts: number
    dateNext: string | null
    errorCode: string | null
    errorText: string | null
    operation: string
    idEntity: number
    _version: number
  }[]

/** Runs everything that is due. */
async function settle(of: Clinic = clinic) {
  await of.context.jobs.run('webhooks.collect')
  await of.context.jobs.run('outbox.sweep')
  await of.context.jobs.drain()
}
/** Makes retries due, and ends pauses. */
async function later() {
  await clinic.db.query(sql`update outbox set "dateDue" = now() where "dateDue" is not null`)
  await clinic.db.query(sql`delete from outbox_lanes`)
  await settle()
}

describe('an event', () => {
  it("contains the record's id and field names, signed by the secret and the time of the attempt", async () => {
    const { id } = await makeHook()
    const { secret } = good(await admin.post(`/webhooks/${id}/secret`))
    const customer = await makeCustomer('Тайная')
    await settle()
    expect(receiver.received).toHaveLength(1)
    const { body, headers, message } = receiver.received[0] as (typeof receiver.received)[0]
    expect(Object.keys(message)).toEqual(['id', 'event', 'dt', 'data'])
    expect(message).toMatchObject({ event: 'customers.create', data: { path: 'customers', id: customer.id } })
    expect(message.data.fields).toContain('surname')
    expect(body).not.toMatch(/Тайная|Анна/)
    const time = String(headers['x-timestamp'])
    expect(headers['x-signature']).toBe(
      `sha256=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`,
    )
    expect(Math.abs(Date.now() / 1000 - Number(time))).toBeLessThan(60)
    expect(await hookOf(id)).toMatchObject({ waiting: 0, stopped: 0, hasSecret: true, dateFailing: null })
    expect(JSON.stringify(await hookOf(id))).not.toContain(secret)
  })

  it('is sent for the subscribed events since the subscription', async () => {
    await makeCustomer()
    const { id } = await makeHook({ events: ['customers.update'] })
    const customer = await makeCustomer()
    good(await nobody.put(`/customers/${customer.id}`, { surname: 'Петрова' }))
    await settle()
    expect(receiver.received.map(({ message }) => message.event)).toEqual(['customers.update'])
    good(await admin.put(`/webhooks/${id}`, { active: false }))
    good(await nobody.put(`/customers/${customer.id}`, { surname: 'Сидорова' }))
    good(await admin.put(`/webhooks/${id}`, { active: true }))
    await settle()
    expect(receiver.received).toHaveLength(1)
  })

  it('includes a transaction that began before the last run and committed after it', async () => {
    await makeHook()
    const customer = await makeCustomer()
    await settle()
    receiver.received.length = 0
    const engine = clinic.context.engine
    const { Customer } = await import('@ordinator/model/areas/customers/customer')
    const { systemActor } = await import('#records/actor.ts')
    let go = () => {}
    const held = new Promise<void>((done) => (go = done))
    let begun = () => {}
    const isBegun = new Promise<void>((done) => (begun = done))
    const long = engine.for(systemActor).tx(async (own) => {
      await own.asSystem.update(Customer, customer.id, { surname: 'Долгая' })
      begun()
      await held
    })
    await isBegun
    const other = await makeCustomer()
    await settle()
    expect(receiver.received.map(({ message }) => message.data.id)).toEqual([other.id])
    go()
    await long
    await settle()
    expect(receiver.received.map(({ message }) => message.data.id)).toEqual([other.id, customer.id])
  })
})

describe('a receiver', () => {
  it.each([
    ['refuses', 'rejected', '422'],
    ['broken', 'rejected', '500'],
    ['silent', 'network_error', null],
    ['lost', 'network_error', null],
    ['moves', 'rejected', '307'],
  ] as const)('that %s is retried, and done once it accepts', async (mood, status, errorCode) => {
    const { id } = await makeHook()
    receiver.mood = mood
    const customer = await makeCustomer()
    await settle()
    const [first] = await messagesOf(id)
    expect(first).toMatchObject({ status, errorCode, attempts: 1, idEntity: customer.id })
    expect(Date.parse(first?.dateNext ?? '')).toBeGreaterThan(Date.now() + 50_000)
    expect((await hookOf(id)).dateFailing).not.toBeNull()
    await settle()
    expect(receiver.received).toHaveLength(1)
    if (mood === 'moves') expect(first?.errorText).toBe('Ответ 307: переадресации не выполняются')
    receiver.mood = 'takes'
    await later()
    expect(await messagesOf(id)).toMatchObject([{ status: 'done', attempts: 2, dateNext: null, errorText: null }])
    expect(new Set(receiver.received.map(({ message }) => message.id)).size).toBe(1)
    expect(await hookOf(id)).toMatchObject({ dateFailing: null })
  })

  it.each(['endless', 'slow', 'nonsense'] as const)('with a %s response is read only in part', async (mood) => {
    const { id } = await makeHook()
    receiver.mood = mood
    await makeCustomer()
    // An endless response ends here by its limits alone.
    await settle()
    const [message] = await messagesOf(id)
    expect(message).toMatchObject({ status: 'done', errorCode: '200' })
    const bodies = good(await admin.post(`/exchange/messages/${message?.id}/open`, { reason: 'Проверка' }))
    expect(bodies.response?.length ?? 0).toBeLessThanOrEqual(2_000)
  })

  it('gets the events of one record in order: a failed one delays later ones of the same record only', async () => {
    const { id } = await makeHook()
    const [one, two] = [await makeCustomer(), await makeCustomer()]
    await settle()
    receiver.received.length = 0
    receiver.moodOf = ({ data }) => (data.id === one.id ? 'refuses' : 'takes')
    for (const surname of ['Первая', 'Вторая'])
      for (const { id: idCustomer } of [one, two]) good(await nobody.put(`/customers/${idCustomer}`, { surname }))
    await settle()
    expect(receiver.received.map(({ message }) => message.data.id).sort()).toEqual([one.id, two.id, two.id].sort())
    receiver.moodOf = undefined
    await later()
    const ids = receiver.received
      .filter(({ message }) => message.data.id === one.id)
      .map(({ message }) => Number(message.id))
    expect(ids).toHaveLength(3)
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect((await messagesOf(id)).every(({ status }) => status === 'done')).toBe(true)
  })

  it('that never accepts ends in the list of undelivered messages, after the requested number of retries', async () => {
    const { id } = await makeHook({ retries: 2 })
    receiver.mood = 'refuses'
    await makeCustomer()
    await settle()
    for (let n = 0; n < 5; n++) await later()
    expect(receiver.received).toHaveLength(3)
    expect(await messagesOf(id)).toMatchObject([{ status: 'dead', attempts: 3, dateNext: null }])
    expect(await hookOf(id)).toMatchObject({ waiting: 0, stopped: 1 })
    // Delivered and pending messages are not in the list.
    receiver.mood = 'takes'
    await makeCustomer()
    await settle()
    receiver.mood = 'refuses'
    await makeCustomer()
    await settle()
    expect(await hookOf(id)).toMatchObject({ waiting: 1, stopped: 1 })
    const [lost] = await messagesOf(id)
    const listed = good(await admin.get(`/exchange/messages?filter[idWebhook]=${id}&filter[status]=dead`)).items
    expect(listed.map((one: { id: number }) => one.id)).toEqual([lost?.id])
    receiver.mood = 'takes'
    expect(good(await admin.post(`/webhooks/${id}/repeat`))).toEqual({ changed: 1 })
    await settle()
    expect((await messagesOf(id))[0]).toMatchObject({ status: 'done', attempts: 1 })
  })

  it('that fails is paused, and not tried with each message', async () => {
    await makeHook()
    receiver.mood = 'broken'
    for (let n = 0; n < 12; n++) await makeCustomer()
    await settle()
    expect(receiver.received.length).toBeLessThanOrEqual(4)
  })

  it('that fails for days is switched off, and users with the settings right are notified', async () => {
    const { id, name } = await makeHook()
    receiver.mood = 'broken'
    await makeCustomer()
    await settle()
    await clinic.db.query(
      sql`update webhook_states set "dateFailing" = now() - interval '73 hours' where "idWebhook" = ${id}`,
    )
    await Promise.all([clinic.context.jobs.run('webhooks.watch'), clinic.context.jobs.run('webhooks.watch')])
    expect(await hookOf(id)).toMatchObject({
      active: false,
      waiting: 0,
      stopped: 1,
      offReason: 'Не принимал события дольше 3 дней',
    })
    const notices = good(await admin.get('/notifications?filter[kind]=integrations.off')).items
    expect(notices.filter(({ title }: { title: string }) => title.includes(name))).toHaveLength(1)
    expect(good(await nobody.get('/notifications?filter[kind]=integrations.off')).items).toEqual([])
    good(await admin.put(`/webhooks/${id}`, { active: true }))
    expect(await hookOf(id)).toMatchObject({ offReason: null, dateFailing: null })
  })
})

describe('a webhook', () => {
  it('is not switched off for one refusal before a quiet weekend, nor for the next after it', async () => {
    const { id } = await makeHook({ retries: 0 })
    receiver.mood = 'refuses'
    await makeCustomer()
    await settle()
    await clinic.db.query(sql`update webhook_states set "dateFailing" = now() - interval '73 hours',
      "dateFailed" = now() - interval '73 hours' where "idWebhook" = ${id}`)
    await clinic.context.jobs.run('webhooks.watch')
    expect(await hookOf(id)).toMatchObject({ active: true })
    await makeCustomer()
    await settle()
    await clinic.context.jobs.run('webhooks.watch')
    expect(await hookOf(id)).toMatchObject({ active: true, stopped: 2 })
  })

  it('disabled by a person sends no pending messages, and collects nothing until it is enabled', async () => {
    const { id } = await makeHook()
    receiver.mood = 'refuses'
    await makeCustomer()
    await makeCustomer()
    await settle()
    const [first] = await messagesOf(id)
    good(await admin.post('/exchange/messages/cancel', { ids: [first?.id] }))
    good(await admin.put(`/webhooks/${id}`, { active: false }))
    expect(await hookOf(id)).toMatchObject({ waiting: 0, stopped: 2 })
    for (const answer of [
      await admin.post(`/webhooks/${id}/repeat`),
      await admin.post('/exchange/messages/repeat', { ids: [first?.id] }),
    ])
      expect(answer).toMatchObject({ status: 409, body: { message: 'Вебхук выключен' } })
    receiver.mood = 'takes'
    receiver.received.length = 0
    good(await admin.put(`/webhooks/${id}`, { active: true }))
    await later()
    expect(receiver.received).toEqual([])
    // Cancelled messages do not count as undelivered.
    expect(good(await admin.post(`/webhooks/${id}/repeat`))).toEqual({ changed: 1 })
  })
})

describe('an internal address', () => {
  it('is never contacted, whatever its name', async () => {
    const names = new Map([
      [
        'rebinding.example',
        [
          { address: '93.184.216.34', family: 4 },
          { address: '127.0.0.1', family: 4 },
        ],
      ],
    ])
    const guarded = await testApp({
      outbound: { timeout: TIMEOUT, resolve: async (host) => names.get(host) ?? [] },
      prepare: (app) => addPerson(app, 'chief', ['mainSettings', 'viewCustomers']),
    })
    try {
      const chief = guarded.as('chief')
      for (const [at, url] of [
        receiver.url,
        'http://169.254.169.254/latest',
        'http://[::1]/',
        'http://rebinding.example/',
      ].entries()) {
        const refused = await chief.post('/webhooks', { name: `Внутрь ${at}`, url, events: [] })
        expect([refused.status, refused.body[0]]).toMatchObject([422, { field: 'url' }])
        // A name that resolves to it later is refused at each message.
        const outside = 'https://nowhere.example/'
        const { id } = good(await chief.post('/webhooks', { name: `Внутрь ${at}`, url: outside, events: [] }), 201)
        await guarded.context.db.query(sql`update webhooks set "url" = ${url} where "id" = ${id}`)
        expect(good(await chief.post(`/webhooks/${id}/test`))).toMatchObject({
          status: 'network_error',
          error: 'Этот адрес ведёт во внутреннюю сеть, обращаться к нему нельзя',
        })
      }
      expect(receiver.received).toEqual([])
    } finally {
      await guarded.close()
    }
  })
})

describe('two servers', () => {
  it('send each message once between them', async () => {
    const { id } = await makeHook()
    const second = await clinic.secondProcess()
    try {
      for (let n = 0; n < 20; n++) await makeCustomer()
      await Promise.all([settle(), settle(second), settle(), settle(second)])
      await settle()
      expect(receiver.received).toHaveLength(20)
      expect(new Set(receiver.received.map(({ message }) => message.id)).size).toBe(20)
      expect((await messagesOf(id)).every(({ attempts }) => attempts === 1)).toBe(true)
    } finally {
      await second.close()
    }
  })

  it('take over the messages of a killed server when its claim expires', async () => {
    const { id } = await makeHook()
    await makeCustomer()
    await clinic.context.jobs.run('webhooks.collect')
    // The state left by a process killed between claiming a message and its reply.
    await clinic.db.query(sql`update outbox set "state" = 'claimed', "claim" = gen_random_uuid(),
      "dateDue" = now() + interval '60 seconds' where "lane" = ${`webhooks:${id}`}`)
    await settle()
    expect(receiver.received).toEqual([])
    await later()
    expect(await messagesOf(id)).toMatchObject([{ status: 'done', attempts: 1 }])
    expect(receiver.received).toHaveLength(1)
  })

  it('read more history than one batch, in order and each once', async () => {
    const { id } = await makeHook({ events: ['customers/tags.create', 'customers.update'] })
    const customer = await makeCustomer()
    await settle()
    await clinic.db.query(sql`insert into history (path, "idEntity", action, changes, version)
      select 'customers', ${customer.id}, 'update', '{}', n from generate_series(1, 4500) n`)
    await clinic.context.jobs.run('webhooks.collect')
    expect(
      await clinic.db.one(sql`select count(*)::int as n, count(distinct "idempotencyKey")::int as keys,
      (select "target" is null from webhook_place) as done from exchange_messages where "idWebhook" = ${id}`),
    ).toEqual({
      n: 4500,
      keys: 4500,
      done: true,
    })
  })
})

describe('rights', () => {
  it.each([
    ['get', '/webhooks'],
    ['get', '/webhooks/events'],
    ['post', '/webhooks'],
    ['get', '/exchange/messages'],
    ['post', '/exchange/messages/repeat'],
    ['post', '/exchange/messages/1/open'],
    ['post', '/webhooks/1/secret'],
    ['post', '/webhooks/1/test'],
  ] as const)('%s %s requires the right to the settings', async (method, url) => {
    expect(
      (await nobody.call(method.toUpperCase(), url, method === 'post' ? { ids: [1], reason: 'x' } : undefined)).status,
    ).toBe(403)
  })

  it('offer and accept only events of records that the user may view', async () => {
    const keeper = clinic.as('keeper')
    const paths = (caller: Caller) =>
      caller
        .get('/webhooks/events')
        .then(({ body }) => body.groups.flatMap((g: any) => g.entities.map((e: any) => e.path)))
    expect(await paths(keeper)).not.toContain('customers')
    expect(await paths(admin)).toContain('customers')
    expect(await paths(admin)).not.toContain('exchange/messages')
    for (const event of [
      'customers.create',
      'exchange/messages.create',
      'customers.explode',
      'nowhere.create',
      'customers/tags.restore',
    ])
      expect(
        (await keeper.post('/webhooks', { name: 'Чужое', url: receiver.url, events: [event] })).body,
      ).toMatchObject([{ field: 'events' }])
  })

  it('show bodies only with a reason, which the access journal records', async () => {
    const { id } = await makeHook()
    await makeCustomer()
    await settle()
    const [message] = await messagesOf(id)
    expect((await admin.post(`/exchange/messages/${message?.id}/open`, { reason: ' ' })).status).toBe(422)
    const bodies = good(await admin.post(`/exchange/messages/${message?.id}/open`, { reason: 'Разбор сбоя' }))
    expect(JSON.parse(bodies.request)).toMatchObject({ event: 'customers.create' })
    expect(bodies.response).toBe('ok')
    await clinic.context.journal.settle()
    expect(
      await clinic.db.one(sql`select basis, action from access_log where "entityType" = 'exchange/messages'
      and "idEntity" = ${message?.id} and basis = 'Разбор сбоя'`),
    ).toEqual({ basis: 'Разбор сбоя', action: 'view' })
  })
})

describe('a person', () => {
  it('resends delivered messages, cancels pending ones, and gets an error for others', async () => {
    const { id } = await makeHook()
    await makeCustomer()
    await settle()
    receiver.mood = 'refuses'
    await makeCustomer()
    await settle()
    const [done, waits] = await messagesOf(id)
    const ids = [done?.id, waits?.id]
    expect(good(await admin.post('/exchange/messages/cancel', { ids }))).toEqual({ changed: 1, left: 1 })
    receiver.mood = 'takes'
    await later()
    expect(receiver.received).toHaveLength(2)
    expect(good(await admin.post('/exchange/messages/repeat', { ids: [...ids, 999999] }))).toEqual({
      changed: 2,
      left: 1,
    })
    await settle()
    expect(receiver.received).toHaveLength(4)
    const sent = receiver.received.map(({ message }) => message.id)
    expect(sent.slice(2).sort()).toEqual(sent.slice(0, 2).sort())
  })

  it('tests at once, also a disabled webhook', async () => {
    const { id } = await makeHook({ active: false })
    expect(good(await admin.post(`/webhooks/${id}/test`))).toMatchObject({ status: 'done', code: '200', answer: 'ok' })
    expect(receiver.received[0]?.message.event).toBe('test')
    receiver.mood = 'silent'
    expect(good(await admin.post(`/webhooks/${id}/test`))).toMatchObject({
      status: 'network_error',
      error: 'Не ответил вовремя',
    })
    expect(await hookOf(id)).toMatchObject({ dateFailing: null })
  })

  it('keeps the journal for the retention period, and pending messages forever', async () => {
    const { id } = await makeHook()
    await makeCustomer()
    await settle()
    receiver.mood = 'refuses'
    await makeCustomer()
    await settle()
    await clinic.db.query(
      sql`update exchange_messages set "dateCreate" = now() - interval '100 days' where "idWebhook" = ${id}`,
    )
    await clinic.context.jobs.run('exchange.forget')
    expect(await messagesOf(id)).toMatchObject([{ status: 'rejected' }])
    expect(
      await clinic.db.one(sql`select count(*)::int as n from exchange_bodies b join exchange_messages m on m."id" = b."idMessage"
      where m."idWebhook" = ${id}`),
    ).toEqual({ n: 1 })
  })

  it('gets a field error for an invalid address', async () => {
    for (const url of ['ftp://a.ru/', 'не адрес', 'https://user:secret@a.ru/'])
      expect((await admin.post('/webhooks', { name: 'Адрес', url, events: [] })).body).toMatchObject([{ field: 'url' }])
  })
})
