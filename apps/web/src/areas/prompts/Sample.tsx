import { Select, Textarea } from '@mantine/core'
import { callAnswerOf } from '@ordinator/model/areas/prompts/answer'
import type { Leaving as LeavingAnswer } from '@ordinator/model/areas/prompts/calls'
import { type Prompt, PromptRun } from '@ordinator/model/areas/prompts/prompt'
import type { Row } from '@ordinator/model/entity'
import { IconArrowsDiff, IconEye, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { useRecord } from '#records/reads.ts'
import { CallAnswer } from './CallAnswer.tsx'
import { Leaving } from './Leaving.tsx'
import classes from './Prompts.module.css'
import { RunFoot, RunState } from './RunState.tsx'

type PromptRow = Row<typeof Prompt>

const samples = {
  call: 'Сотрудник: Клиника, здравствуйте, меня зовут Марина.\nСобеседник: Здравствуйте, это Иванова Анна Петровна, хочу к терапевту.\nСотрудник: Завтра в десять тридцать подойдёт?\nСобеседник: Да, запишите, телефон 8 912 345-67-89.',
  protocol:
    'Пациентка Иванова А. П., 12.03.1985, жалуется на боль в горле третий день, температура вечером до 37,8. Аллергии нет. Зев красный, дыхание везикулярное. Назначить обильное питьё, осмотр через неделю.',
} as const

/** Trial of a prompt with a sample conversation; compares two versions. */
export function Sample({ prompt }: { prompt: PromptRow }) {
  const may = useActor().permissions.editPrompts
  const [sample, setSample] = useState<string>(samples[prompt.kind])
  const [other, setOther] = useState<string | null>(null)
  const [runs, setRuns] = useState<readonly number[]>([])
  const [leaving, setLeaving] = useState<LeavingAnswer>()
  const [busy, setBusy] = useState(false)
  if (!may) return <Muted>Пробуют подсказки те, кто их настраивает.</Muted>
  const params = { id: prompt.id }
  const ask = async (run: () => Promise<void>) => {
    setBusy(true)
    try {
      await run()
    } catch (error) {
      notify.error(errorMessage(error))
    }
    setBusy(false)
  }
  const tryIt = (versions: readonly number[]) =>
    ask(async () => {
      const made = await Promise.all(
        versions.map((version) =>
          api('POST /prompts/:id/test', { params, body: { version, sample } }, { forbidden: 'toast' }),
        ),
      )
      setLeaving(undefined)
      setRuns(made.map(({ id }) => id))
    })
  const versions = Array.from({ length: prompt.version - 1 }, (_, at) => String(prompt.version - 1 - at))
  return (
    <VStack gap={16}>
      <Textarea
        label="Пример разговора"
        description="Возьмите выдуманный: проба остаётся в запусках"
        autosize
        minRows={5}
        maxRows={14}
        value={sample}
        onChange={(event) => setSample(event.currentTarget.value)}
      />
      <HStack wrap align="end">
        <ActionButton
          label="Попробовать"
          icon={IconPlayerPlay}
          loading={busy}
          disabled={sample.trim() === ''}
          onClick={() => void tryIt([prompt.version])}
        />
        <ActionButton
          label="Что уйдёт"
          icon={IconEye}
          variant="default"
          disabled={busy || sample.trim() === ''}
          onClick={() =>
            void ask(async () =>
              setLeaving(await api('POST /prompts/:id/preview', { params, body: { sample } }, { forbidden: 'toast' })),
            )
          }
        />
        {versions.length > 0 && (
          <>
            <Select
              placeholder="Прежняя версия"
              aria-label="Прежняя версия"
              w={170}
              data={versions.map((value) => ({ value, label: `Версия ${value}` }))}
              value={other}
              onChange={setOther}
            />
            <ActionButton
              label="Сравнить ответы"
              icon={IconArrowsDiff}
              variant="default"
              disabled={busy || !other || sample.trim() === ''}
              onClick={() => void tryIt([Number(other), prompt.version])}
            />
          </>
        )}
      </HStack>
      {leaving && <Leaving leaving={leaving} />}
      {runs.length > 0 && (
        <div className={classes.two}>
          {runs.map((id) => (
            <Tried key={id} id={id} />
          ))}
        </div>
      )}
    </VStack>
  )
}

function Tried({ id }: { id: number }) {
  const { data: run } = useRecord(PromptRun, id, {}, { forbidden: 'silent' })
  if (!run) return <LinesSkeleton lines={5} />
  return (
    <section aria-label={`Ответ, версия ${run.number}`}>
      <h3>Версия {run.number}</h3>
      <VStack gap={12}>
        <RunState run={run} />
        {run.status === 'done' &&
          (run.kind === 'call' ? (
            <CallAnswer answer={callAnswerOf(run)} />
          ) : (
            <pre className={classes.text}>{JSON.stringify(run.output, null, 2)}</pre>
          ))}
        {run.status === 'done' && <RunFoot run={run} />}
      </VStack>
    </section>
  )
}
