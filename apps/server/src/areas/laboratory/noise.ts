/**
 * Bytes of a device that are no message of its protocol. The first of a kind is stored; the following ones are counted,
 * and the count is written at most once a minute, so that a talkative device costs no transaction for each piece.
 */
import { LabStray, type StrayReason } from '@ordinator/model/areas/laboratory/device'
import sql from 'sql-template-tag'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { type Device, takeMessage } from './intake.ts'

/** Milliseconds between two stored pieces of one kind. */
const PAUSE_MS = 60_000

export type NoiseKind = 'message' | 'unfinished' | 'noise' | 'checksum'

/** Reason of the «Неразобранное» that a kind makes; a frame with a wrong checksum is sent again, and makes none. */
const reasonOf: Record<NoiseKind, StrayReason | undefined> = {
  message: 'broken',
  noise: 'broken',
  unfinished: 'unfinished',
  checksum: undefined,
}

export class Noise {
  readonly #app: AppContext
  readonly #device: Device
  readonly #kinds = new Map<NoiseKind, { storedAt: number; more: number }>()

  constructor(app: AppContext, device: Device) {
    this.#app = app
    this.#device = device
  }

  /** Stores or counts a piece. */
  async take(kind: NoiseKind, bytes: Uint8Array): Promise<void> {
    const now = Date.now()
    const known = this.#kinds.get(kind)
    if (known && now - known.storedAt < PAUSE_MS) {
      known.more++
      return
    }
    await this.write(kind)
    this.#kinds.set(kind, { storedAt: now, more: 0 })
    await takeMessage(this.#app, this.#device, bytes, kind)
  }

  /** Writes the counts: of one kind, or of all. */
  async write(only?: NoiseKind): Promise<void> {
    for (const [kind, known] of this.#kinds) {
      const reason = reasonOf[kind]
      if ((only && only !== kind) || known.more === 0) continue
      const { more } = known
      known.more = 0
      if (reason) await countStray(this.#app, this.#device, reason, more)
    }
  }
}

/** Adds to the count of the device's open stray of this reason without a tube. */
const countStray = (app: AppContext, device: Device, reason: StrayReason, more: number): Promise<unknown> =>
  app.engine.for(systemActor).asSystem.updateWhere(
    LabStray,
    ({ row }) => sql`${row}."id" = (select max(s."id") from laboratory_strays s where s."idDevice" = ${device.id}
      and s."reason" = ${reason} and s."status" = 'open' and s."barcode" is null and s."code" is null)`,
    { times: sql`"times" + ${more}` },
    { pastHooks: 'Only the count of pieces' },
  )
