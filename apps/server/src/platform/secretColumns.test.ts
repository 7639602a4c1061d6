/** Secrets of other systems are stored encrypted: on every path, after an upgrade, and under a new SECRET. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  secretOf as channelSecretOf,
  keepAppSecret,
  keepConfirmation,
  keepToken,
} from '#areas/chats/channels/secrets.ts'
import { secretOf } from '#areas/settings/index.ts'
import { rotateSecret } from '#commands/rotate.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { createCipher, isEncrypted, keyIdOf } from './cipher.ts'
import { readConfig } from './config.ts'
import { countForeign, encryptStored, reencrypt, secretColumns } from './secretColumns.ts'

const OLD = 'the old secret of the clinic, long enough'
const NEW = 'the new secret of the clinic, long enough'

describe('a stored value', () => {
  const cipher = createCipher(OLD)
  test('opens by its own key, column and row alone, and has no two alike', () => {
    const stored = cipher.encrypt('webhook_secrets.secret', 5, 'ключ')
    expect(cipher.decrypt('webhook_secrets.secret', 5, stored)).toBe('ключ')
    expect(cipher.encrypt('webhook_secrets.secret', 5, 'ключ')).not.toBe(stored)
    const broken = `${stored.slice(0, -3)}${stored.endsWith('AAA') ? 'BBB' : 'AAA'}`
    for (const open of [
      () => cipher.decrypt('webhook_secrets.secret', 6, stored),
      () => cipher.decrypt('filial_tokens.token', 5, stored),
      () => createCipher(NEW).decrypt('webhook_secrets.secret', 5, stored),
      () => cipher.decrypt('webhook_secrets.secret', 5, broken),
    ])
      expect(open).toThrow(/SECRET сервера не тот/)
  })
})

describe('the tables', () => {
  let clinic: Clinic
  beforeAll(async () => {
    clinic = await testApp({ prepare: (context) => addPerson(context, 'boss', ['mainSettings']) })
  })
  afterAll(() => clinic.close())

  const values = async () => {
    const found: string[] = []
    for (const { table, columns } of secretColumns)
      for (const column of columns) {
        const [of, from] = [raw(`"${column}"`), raw(`"${table}"`)]
        const rows = await clinic.db.query<{ value: string }>(sql`select ${of} as value from ${from} where ${of} <> ''`)
        found.push(...rows.map(({ value }) => value))
      }
    return found
  }

  test('that hold secrets are all known', async () => {
    const tables = await clinic.db.query<{ name: string }>(sql`
      select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_name ~ '(_secrets?|_tokens?)$' order by 1`)
    const known = secretColumns.map(({ table }) => table)
    // Visitors' passwords and tokens are stored as hashes.
    expect(tables.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([
      'live_assist_tokens',
      'user_secrets',
    ])
  })

  test('hold them encrypted, by whatever way they are written, and after an upgrade', async () => {
    const { db } = clinic
    const set = await clinic.as('boss').put('/settings/common', { egiszToken: 'token of the register' })
    expect(set.status).toBe(200)
    const channel = await db.one<{ id: number }>(sql`
      insert into live_assist_channels ("kind", "name", "key", "idUser")
      select 'whatsapp', 'Канал', 'abcdefghijklmnop1234', min("id") from users returning "id"`)
    const id = channel?.id as number
    await db.tx(async (tx) => {
      await keepToken(tx, id, 'token of the bot')
      await keepAppSecret(tx, id, 'secret of the application')
      await keepConfirmation(tx, id, 'confirmation')
    })
    expect(await values()).toHaveLength(5)
    expect((await values()).every(isEncrypted)).toBe(true)

    // The state before the upgrade.
    await db.query(sql`update common_setting_secrets set value = 'token of the register' where name = 'egiszToken'`)
    expect(await encryptStored(db)).toBe(1)
    expect(await encryptStored(db)).toBe(0)
    expect((await values()).every(isEncrypted)).toBe(true)
    expect(await secretOf(db, 'egiszToken')).toBe('token of the register')
    expect(await channelSecretOf(db, id)).toMatchObject({
      token: 'token of the bot',
      appSecret: 'secret of the application',
      confirmation: 'confirmation',
    })
  })

  test('change their key as one, also when the command was broken off', async () => {
    const { db } = clinic
    const dir = mkdtempSync(join(tmpdir(), 'rotate-'))
    try {
      writeFileSync(join(dir, 'secret'), `${OLD}\n`)
      await reencrypt(db, db.cipher, createCipher(OLD))
      expect(await countForeign(db)).toBe(5)
      await expect(secretOf(db, 'egiszToken')).rejects.toMatchObject({ status: 409, code: 'secret' })
      // Interrupted after the transaction: the new secret is beside the old one.
      writeFileSync(join(dir, 'secret.next'), `${NEW}\n`)
      await reencrypt(db, createCipher(OLD), createCipher(NEW))
      expect(await rotateSecret(readConfig({ DATA_DIR: dir }), db)).toEqual({ changed: 0, closed: 0 })
      expect(readFileSync(join(dir, 'secret'), 'utf8').trim()).toBe(NEW)
      expect(existsSync(join(dir, 'secret.next'))).toBe(false)
      expect(await rotateSecret(readConfig({ DATA_DIR: dir }), db)).toEqual({ changed: 5, closed: 0 })
      const now = readFileSync(join(dir, 'secret'), 'utf8').trim()
      expect(new Set((await values()).map(keyIdOf))).toEqual(new Set([createCipher(now).keyId]))
      await expect(rotateSecret(readConfig({ DATA_DIR: dir, SECRET: now }), db)).rejects.toThrow(/NEW_SECRET/)
      // Restore the running server's secret.
      const own = clinic.config.secret
      await rotateSecret(readConfig({ DATA_DIR: dir, SECRET: now, NEW_SECRET: own }), db)
      expect(await secretOf(db, 'egiszToken')).toBe('token of the register')
    } finally {
      rmSync(dir, { recursive: true })
    }
  })
})
