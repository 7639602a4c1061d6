import { Transcript, TranscriptLine } from '@ordinator/model/areas/transcripts/transcript'
import sql from 'sql-template-tag'
import { openWave, secondsOf } from '#areas/calls/index.ts'
import type { Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { transcribeWave } from './asr.ts'
import { inOrder, linesOf } from './lines.ts'
import { channelsOf, speechIn, waveOf } from './sound.ts'

/** Number of demo calls with transcripts. */
const CALLS = 60

/** Transcripts of the latest recorded calls from the simulator; switches the services to simulators. */
export async function demo(records: Records, app: AppContext, tx: Queryable): Promise<void> {
  await tx.query(sql`insert into common_settings ("name", "value") values ('llmMode', '"simulator"'), ('asrMode', '"simulator"'),
    ('metrikaMode', '"simulator"'), ('llmPriceIn', '0.6'), ('llmPriceOut', '1.2')`)
  const calls = await tx.query<{ id: number; key: string; idUser: number; end: string }>(sql`
    select "id"::int as id, "fileLink" as key, "idUser"::int as "idUser", "dateEnd"::text as end from calls
    where "fileLink" is not null and "idUser" is not null order by "dateCreate" desc limit ${CALLS}`)
  const talks = new Map<string, Awaited<ReturnType<typeof talkOf>>>()
  for (const key of new Set(calls.map(({ key }) => key))) talks.set(key, await talkOf(app, key))
  const conversations = calls.flatMap((call) => {
    const talk = talks.get(call.key)
    return talk ? [{ ...call, talk }] : []
  })
  const made = await records.asSystem.createMany(
    Transcript,
    conversations.map(({ id, idUser, end, talk }) => ({
      idCall: id,
      idUser,
      status: talk.lines.length ? ('done' as const) : ('empty' as const),
      progress: 100,
      seconds: talk.seconds,
      speechS: talk.speechS,
      byChannels: true,
      wordsCount: talk.lines.reduce((sum, { words }) => sum + words.length, 0),
      place: 'имитатор',
      dateDone: new Date(end).toISOString(),
    })),
    { pastHooks: 'transcripts have none' },
  )
  await records.asSystem.createMany(
    TranscriptLine,
    conversations.flatMap(({ id, talk }, at) =>
      talk.lines.map((line) => ({ idTranscript: (made[at] as { id: number }).id, idCall: id, ...line })),
    ),
    { pastHooks: 'lines have none' },
  )
}

async function talkOf(app: AppContext, key: string) {
  const wave = await openWave(app.files, key)
  if (typeof wave === 'string') return undefined
  const channels = await channelsOf(app.files, key, wave)
  const place = { mode: 'simulator', url: '', model: '', name: 'имитатор' } as const
  const read = await Promise.all(
    channels.map(async (samples, at) => {
      const speech = speechIn(samples, wave.rate)
      const speaker = channels.length === 1 ? 'unknown' : at === 0 ? 'customer' : 'operator'
      const result = await transcribeWave(place, waveOf(samples, wave.rate, { from: 0, to: secondsOf(wave) }), speaker)
      return { speech, lines: result.is === 'done' ? linesOf(speaker, result.words, speech) : [] }
    }),
  )
  return {
    lines: inOrder(read.flatMap(({ lines }) => lines)),
    seconds: Math.round(secondsOf(wave)),
    speechS: Math.round(
      read.reduce((sum, { speech }) => sum + speech.reduce((all, { from, to }) => all + to - from, 0), 0),
    ),
  }
}
