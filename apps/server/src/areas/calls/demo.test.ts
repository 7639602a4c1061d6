import { afterAll, beforeAll, expect, it } from 'vitest'
import { seeded } from '#platform/seeded.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { RECORDINGS, recordingKey, recordingSeconds } from './demoCalls.ts'
import { readWave, secondsOf, speechLike } from './wav.ts'

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp({ demo: true })
})
afterAll(() => clinic.close())

it('has three months of chats and calls, and every recording contains sound', async () => {
  const weeksOf = async (table: 'live_assist' | 'calls') =>
    (
      await clinic.db.query<{ week: number }>({
        text: `select distinct floor(extract(epoch from now() - "dateCreate") / 604800)::int as week from ${table} where not "training"`,
      })
    ).map(({ week }) => week)
  const thirteen = Array.from({ length: 13 }, (_, week) => week)
  expect(await weeksOf('live_assist')).toEqual(expect.arrayContaining(thirteen))
  expect(await weeksOf('calls')).toEqual(expect.arrayContaining(thirteen))
  // The files are stored beside the database once: this checks the files to be stored, under the names in calls.
  const recorded = await clinic.db.query<{ key: string; talk: number }>({
    text: `select "fileLink" as key, min(extract(epoch from "dateEnd" - "dateAnswer"))::float8 as talk
      from calls where "fileLink" is not null group by 1`,
  })
  const keys = Array.from({ length: RECORDINGS }, (_, at) => recordingKey(at))
  expect(recorded.map(({ key }) => key).sort()).toEqual(keys.toSorted())
  for (const [at, key] of keys.entries()) {
    const sound = speechLike(recordingSeconds(at), seeded(at + 1))
    const wave = readWave(sound.subarray(0, 4096), sound.length)
    if (!wave) throw new Error(`${key}: no WAV`)
    expect(Math.abs(secondsOf(wave) - (recorded.find((one) => one.key === key)?.talk ?? 0))).toBeLessThan(2)
    // 8 bits, 128 is silence.
    const samples = [...sound.subarray(44)].map((one) => Math.abs(one - 128))
    // Audible for a good part of the time, with pauses.
    const audible = samples.filter((one) => one > 8).length / samples.length
    expect([audible > 0.2, audible < 0.98]).toEqual([true, true])
  }
})
