import { Transcript, TranscriptLine } from '@ordinator/model/areas/transcripts/transcript'
import sql, { type Sql } from 'sql-template-tag'
import { aiPlaceOf, readCommonSettings } from '#areas/settings/index.ts'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import type { Area } from '#records/area.ts'
import type { AppContext } from '#records/context.ts'
import { records, type Scope } from '#records/define.ts'
import { transcribeWave } from './asr.ts'
import { demo } from './demo.ts'
import { startTranscripts, transcriptOperations } from './make.ts'
import { waveOf } from './sound.ts'

const CHECK_MS = 15_000
const CHECK_RATE = 8_000

/** Users who may listen to a call may read its transcript. */
const callScope: Scope = {
  unless: 'listenCalls',
  view: ({ row, me }: { row: Sql; me: Sql }) =>
    sql`exists (select from calls c where c."id" = ${row}."idCall" and c."idUser" = ${me})`,
}

async function adapters(app: AppContext): Promise<Adapter[]> {
  const [place, { asrAddress }] = await Promise.all([aiPlaceOf(app, 'asr'), readCommonSettings(app.db)])
  return [
    {
      key: 'asr',
      code: 'asr',
      name: 'Распознавание речи',
      mode: place?.mode ?? 'off',
      modeSetting: 'asrMode',
      page: 'connections',
      setIn: asrAddress || !app.config.asrUrl ? 'Настройки → Подключения' : 'Настройка сервера ASR_URL',
      async check() {
        if (!place) return
        // A second of silence: any response shows that the server uses the protocol.
        const answer = await transcribeWave(
          place,
          waveOf(new Float32Array(CHECK_RATE), CHECK_RATE, { from: 0, to: 1 }),
          'unknown',
          CHECK_MS,
        )
        if (answer.is === 'failed') throw new AdapterFault(answer.reason)
      },
    },
  ]
}

/** Transcripts of recorded calls, by word and time. */
export const transcripts: Area = {
  name: 'transcripts',
  title: 'Расшифровки',
  records: [records(Transcript, { scope: callScope }), records(TranscriptLine, { scope: callScope })],
  operations: transcriptOperations,
  adapters,
  start: startTranscripts,
  demo,
}
