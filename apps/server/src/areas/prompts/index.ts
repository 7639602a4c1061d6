import { readCommonSettings } from '#areas/settings/index.ts'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import type { Area } from '#records/area.ts'
import type { AppContext } from '#records/context.ts'
import { acceptOperations } from './accept.ts'
import { demo } from './demo.ts'
import { askModel, modelOf } from './llm.ts'
import { promptOperations, promptRecords, promptRuns, promptVersions } from './prompts.ts'
import { promptAnswers, runOperations } from './runs.ts'

/** Timeout of a check in milliseconds. */
const CHECK_MS = 15_000

async function adapters(app: AppContext): Promise<Adapter[]> {
  const [place, { llmAddress }] = await Promise.all([modelOf(app), readCommonSettings(app.db)])
  return [
    {
      key: 'llm',
      code: 'llm',
      name: 'Нейросеть',
      mode: place?.mode ?? 'off',
      modeSetting: 'llmMode',
      page: 'connections',
      setIn: llmAddress || !app.config.llmUrl ? 'Настройки → Подключения' : 'Настройка сервера LLM_URL',
      async check() {
        if (!place) return
        const question = {
          system: 'Ответь объектом JSON {"ok": true}',
          user: 'Проверка связи',
          model: place.model,
          temperature: 0,
        }
        const answer = await askModel(place, question, CHECK_MS)
        if (answer.is !== 'answered') throw new AdapterFault(answer.reason)
      },
    },
  ]
}

/** Prompts of a language model about conversations and examinations, and the accepted parts of its answers. */
export const prompts: Area = {
  name: 'prompts',
  title: 'Подсказки',
  records: [promptRecords, promptVersions, promptRuns],
  operations: [...promptOperations, ...runOperations, ...acceptOperations],
  adapters,
  runs: [promptAnswers],
  demo,
}
