/** Second factors: codes, passkeys, recovery codes; a role that requires one; re-entry of the password. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { isLeaked, LEAKED } from './leakedPasswords.ts'

let clinic: Clinic
let boss: Caller
beforeAll(async () => {
  clinic = await testApp({
    prepare: (context) => addPerson(context, 'boss', ['editUsers', 'mainSettings', 'viewAccessLog']),
  })
  boss = clinic.as('boss')
})
afterAll(() => clinic.close())
beforeEach(() => clinic.db.query(sql`delete from login_attempts`))

let people = 0
async function person() {
  const login = `factor${++people}`
  const { id } = await addPerson(clinic.context, login)
  const signIn = (more: object = {}) =>
    clinic.anonymous.post('/auth/login', { login, password: 'demo', forceLogin: true, ...more })
  return { id, login, signIn, own: clinic.withToken(good(await signIn()).accessToken) }
}
const codeAt = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })

/** A person with an authenticator app, whose first code has just been used. */
async function withApp() {
  const one = await person()
  const { secret, uri, qr } = good(await one.own.post('/auth/factors/totp/begin'))
  expect(uri).toContain(`secret=${secret}`)
  expect(qr).toMatch(/^data:image\/svg/)
  const { codes } = good(await one.own.post('/auth/factors/totp', { name: 'Телефон', code: codeAt(secret, -1) }))
  return { ...one, secret, codes: codes as string[] }
}

describe('codes of an application', () => {
  test('begin with a right one; then the password alone opens nothing', async () => {
    const one = await person()
    const { secret } = good(await one.own.post('/auth/factors/totp/begin'))
    expect(good(await one.signIn()).secondFactor).toBeUndefined()
    const again = clinic.withToken(good(await one.signIn()).accessToken)
    expect((await again.post('/auth/factors/totp', { name: 'Телефон', code: '000000' })).body[0].field).toBe('code')
    const { codes } = good(await again.post('/auth/factors/totp', { name: 'Телефон', code: codeAt(secret) }))
    expect(codes).toHaveLength(10)
    expect(good(await one.signIn())).toEqual({
      ...{ success: false, showSessionWarning: false, accessToken: null, errorText: null },
      secondFactor: { ways: ['totp', 'recovery'], passkey: null },
    })
    const stored = await clinic.db.one<{ secret: string }>(
      sql`select secret from user_factors where "idUser" = ${one.id}`,
    )
    expect(stored?.secret).toMatch(/^enc1:/)
  })

  test('are good once, and not long after; a wrong one is counted', async () => {
    const { signIn, secret } = await withApp()
    const code = codeAt(secret)
    expect(good(await signIn({ code })).success).toBe(true)
    const repeated = await signIn({ code })
    expect([repeated.status, repeated.body.errorText]).toEqual([401, 'Неверный код'])
    expect((await signIn({ code: codeAt(secret, -5) })).status).toBe(401)
    for (let at = 0; at < 3; at++) await signIn({ code: '000000' })
    // The right code must wait now too, and a right password does not reset that.
    good(await signIn())
    expect((await signIn({ code: codeAt(secret, 1) })).status).toBe(429)
  })

  test('are not taken for the question about another session', async () => {
    const { signIn, secret } = await withApp()
    const code = codeAt(secret)
    expect(good(await signIn({ code, forceLogin: false })).showSessionWarning).toBe(true)
    expect(good(await signIn({ code, forceLogin: true })).success).toBe(true)
  })
})

test('each recovery code opens once, and new ones end the old', async () => {
  const { signIn, codes, secret } = await withApp()
  const [first = '', second = ''] = codes
  const token = good(await signIn({ code: first.toUpperCase() })).accessToken
  expect((await signIn({ code: first })).status).toBe(401)
  const own = clinic.withToken(token)
  expect(good(await own.get('/auth/factors')).codesLeft).toBe(9)
  good(await own.post('/auth/factors/codes'))
  expect((await signIn({ code: second })).status).toBe(401)
  expect(good(await signIn({ code: codeAt(secret) })).success).toBe(true)
})

describe('a role that asks for a second factor', () => {
  test('lets its people do nothing before they have one', async () => {
    const one = await person()
    const { id: idRole } = good(await boss.post('/roles', { name: `С фактором ${one.id}`, permissions: [] }), 201)
    good(await boss.post('/user-roles', { idUser: one.id, idRole }), 201)
    expect((await one.own.get('/user-settings/main')).status).toBe(200)
    good(await boss.put(`/roles/${idRole}`, { requiresFactor: true }))
    const refused = await one.own.get('/user-settings/main')
    expect([refused.status, refused.body.code]).toEqual([403, 'factor'])
    expect(good(await one.own.post('/common/get-account', {})).user.specials.mustAddFactor).toBe(true)
    const { secret } = good(await one.own.post('/auth/factors/totp/begin'))
    good(await one.own.post('/auth/factors/totp', { name: 'Телефон', code: codeAt(secret) }))
    expect((await one.own.get('/user-settings/main')).status).toBe(200)
    // Without a second factor access is closed again.
    const [{ id }] = good(await one.own.get('/auth/factors')).items
    good(await one.own.delete(`/auth/factors/${id}`), 204)
    expect((await one.own.get('/user-settings/main')).body.code).toBe('factor')
  })
})

test('an administrator resets the factors of who has lost them; the journal has it, sessions end', async () => {
  const { id, signIn, own } = await withApp()
  expect((await own.delete(`/users/${id}/factors`)).status).toBe(403)
  expect(good(await boss.get(`/users/${id}/factors`)).items).toMatchObject([{ name: 'Телефон', kind: 'totp' }])
  good(await boss.delete(`/users/${id}/factors`), 204)
  expect((await own.get('/auth/sessions')).status).toBe(401)
  expect(good(await signIn()).success).toBe(true)
  const line = await clinic.db.one<{ basis: string }>(
    sql`select basis from access_log where "entityType" = 'users' and "idEntity" = ${id} order by dt desc limit 1`,
  )
  expect(line?.basis).toBe('Вторые факторы сброшены администратором')
})

/** A software authenticator (WebAuthn Level 3): P-256, no attestation. */
function softKey(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0
  const rpIdHash = createHash('sha256').update(new URL(origin).hostname).digest()
  const head = (flags: number) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([rpIdHash, Buffer.from([flags]), count])
  }
  const client = (type: string, challenge: string, from: string, crossOrigin = false) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin }))
  const encoded = (response: object) => ({
    ...{ id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' as const },
    clientExtensionResults: {},
    response,
  })
  return {
    /** A copy of the key made before it was used: its counter is unchanged. */
    rewind: (by: number) => (counter -= by),
    create({ challenge }: { challenge: string }) {
      // COSE: { 1: 2, 3: -7, -1: 1, -2: x, -3: y }
      const cose = Buffer.concat([
        Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]),
        Buffer.from(x, 'base64url'),
        Buffer.from([0x22, 0x58, 32]),
        Buffer.from(y, 'base64url'),
      ])
      const auth = Buffer.concat([head(0x45), Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      // CBOR: { fmt: 'none', attStmt: {}, authData }
      const attestation = Buffer.concat([
        Buffer.from([0xa3, 0x63]),
        Buffer.from('fmt'),
        Buffer.from([0x64]),
        Buffer.from('none'),
        Buffer.from([0x67]),
        Buffer.from('attStmt'),
        Buffer.from([0xa0, 0x68]),
        Buffer.from('authData'),
        Buffer.from([0x58, auth.length]),
        auth,
      ])
      return encoded({
        clientDataJSON: client('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    get(
      { challenge }: { challenge: string },
      from = origin,
      { type = 'webauthn.get', flags = 0x05, framed = false } = {},
    ) {
      const auth = head(flags)
      const data = client(type, challenge, from, framed)
      const signature = createSign('sha256')
        .update(Buffer.concat([auth, createHash('sha256').update(data).digest()]))
        .sign(privateKey)
      return encoded({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: auth.toString('base64url'),
        signature: signature.toString('base64url'),
      })
    },
  }
}

test('a passkey opens by what was asked a moment ago, once, on our own page alone', async () => {
  const one = await person()
  const key = softKey(clinic.config.publicUrl)
  const options = good(await one.own.post('/auth/factors/passkey/begin'))
  const body = { name: 'Ключ', response: key.create(options) }
  expect(
    (await one.own.post('/auth/factors/passkey', { ...body, response: key.create({ challenge: 'bm90' }) })).status,
  ).toBe(422)
  expect(good(await one.own.post('/auth/factors/passkey', body)).codes).toHaveLength(10)
  const ask = async () => good(await one.signIn()).secondFactor
  expect((await ask()).ways).toEqual(['passkey', 'recovery'])
  const asked = (await ask()).passkey
  expect((await one.signIn({ passkey: key.get(asked, 'http://evil.test') })).status).toBe(401)
  const answer = key.get((await ask()).passkey)
  expect(good(await one.signIn({ passkey: answer })).success).toBe(true)
  expect((await one.signIn({ passkey: answer })).status).toBe(401)
  expect((await one.signIn({ passkey: softKey(clinic.config.publicUrl).get((await ask()).passkey) })).status).toBe(401)
})

test('a passkey of a copy, of another person, of another question or of a foreign frame opens nothing', async () => {
  const [one, other] = [await person(), await person()]
  const [key, theirs] = [softKey(clinic.config.publicUrl), softKey(clinic.config.publicUrl)]
  for (const [who, own] of [
    [one, key],
    [other, theirs],
  ] as const) {
    const options = good(await who.own.post('/auth/factors/passkey/begin'))
    good(await who.own.post('/auth/factors/passkey', { name: 'Ключ', response: own.create(options) }))
  }
  const ask = async (who = one) => good(await who.signIn()).secondFactor.passkey
  const refused = async (passkey: object, who = one) => {
    expect((await who.signIn({ passkey })).status).toBe(401)
    // Each of them slows the next sign-in down.
    await clinic.db.query(sql`delete from login_attempts`)
  }
  // Another person's key, another person's question, and a question about a new key.
  await refused(theirs.get(await ask()))
  await refused(key.get(await ask(other)))
  await refused(key.get(await ask(), undefined, { type: 'webauthn.create' }))
  await refused(key.get(good(await one.own.post('/auth/factors/passkey/begin'))))
  // The device could not be touched; the page was in a frame of another site.
  await refused(key.get(await ask(), undefined, { flags: 0x00 }))
  await refused(key.get(await ask(), undefined, { framed: true }))
  const asked = await ask()
  const answer = key.get(asked)
  const { signature } = theirs.get(asked).response as { signature: string }
  await refused({ ...answer, response: { ...answer.response, signature } })
  // A question is forgotten after five minutes.
  const late = await ask()
  await clinic.db.query(sql`update passkey_challenges set "dateExpires" = now() - interval '1 second'`)
  await refused(key.get(late))
  good(await one.signIn({ passkey: key.get(await ask()) }))
  // A copied key has an older counter.
  key.rewind(2)
  await refused(key.get(await ask()))
  // A key that one person has cannot be made another's.
  const options = good(await other.own.post('/auth/factors/passkey/begin'))
  expect((await other.own.post('/auth/factors/passkey', { name: 'Чужой', response: key.create(options) })).status).toBe(
    422,
  )
})

describe('what is grave', () => {
  test('asks for a password that was given longer than a quarter of an hour ago', async () => {
    await addPerson(clinic.context, 'grave', ['editUsers', 'mainSettings'])
    const { accessToken } = good(await clinic.anonymous.post('/auth/login', { login: 'grave', password: 'demo' }))
    const own = clinic.withToken(accessToken)
    const { id } = await addPerson(clinic.context, 'colleague')
    const critical: [string, () => Promise<Answer>][] = [
      ['settings', () => own.put('/settings/common', { sessionHours: 11 })],
      ['a role', () => own.post('/roles', { name: `Роль ${Math.random()}`, permissions: [] })],
      ['a right', () => own.post('/user-permissions/batch', { create: [{ idUser: id, permission: 'viewCalendar' }] })],
      ['a phone', () => own.put(`/users/${id}`, { phone: '+79151112233' })],
      ['a password', () => own.post(`/users/${id}/reset-password`)],
    ]
    const age = async () => {
      await clinic.db.query(sql`update sessions set "dateProof" = now() - interval '16 minutes'
        where "idUser" = (select id from users where login = 'grave')`)
      const { signal } = await import('./signals.ts')
      await clinic.db.tx((tx) => signal(tx, { all: true }))
    }
    await age()
    for (const [what, run] of critical) {
      const refused = await run()
      expect([what, refused.status, refused.body.code]).toEqual([what, 403, 'proof'])
    }
    // Non-critical actions still work.
    expect((await own.put(`/users/${id}`, { post: 'Врач' })).status).toBe(200)
    expect((await own.post('/auth/proof', { password: 'wrong' })).body[0].field).toBe('password')
    good(await own.post('/auth/proof', { password: 'demo' }), 204)
    for (const [what, run] of critical) expect([what, (await run()).status < 300]).toEqual([what, true])
  })
})

test.each(['password123', 'Sunshine1', 'qwertyuiop', 'iloveyou2'])('«%s» is a leaked one', (password) =>
  expect([LEAKED, isLeaked(password)]).toEqual([100_000, true]),
)
test('an unknown one is none', () => expect(isLeaked(randomBytes(9).toString('hex'))).toBe(false))
