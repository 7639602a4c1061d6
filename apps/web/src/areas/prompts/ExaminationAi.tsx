import { Badge } from '@mantine/core'
import { type Diagnosis, Examination } from '@ordinator/model/areas/examinations/examination'
import type { ReadyForm } from '@ordinator/model/areas/examinations/form'
import { isFilled } from '@ordinator/model/areas/examinations/formValues'
import { diagnosisWords, valueWords } from '@ordinator/model/areas/examinations/paper'
import {
  type ExaminationContents,
  isSamePart,
  keyOfPart,
  partIn,
  partLabel,
} from '@ordinator/model/areas/examinations/parts'
import { isUnderWay, PromptRun } from '@ordinator/model/areas/prompts/prompt'
import { IconCheck, IconSparkles } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { AskDialog } from './AskDialog.tsx'
import classes from './Prompts.module.css'
import { RunFoot, RunState } from './RunState.tsx'

interface Props {
  id: number
  ready: ReadyForm
  /** Current contents of the draft. */
  contents: () => ExaminationContents
  /** Saves typed changes; false: failed. */
  flush: () => Promise<boolean>
  onTaken: () => void
}

/** Model draft beside the examination; the doctor accepts it by field. */
export function ExaminationAi({ id, ready, contents, flush, onTaken }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [asking, setAsking] = useState(false)
  const cache = useQueryClient()
  const offered = useQuery({
    queryKey: ['prompts', 'offered', 'examinations', id],
    queryFn: () =>
      api('GET /prompts/offered', { query: { subject: 'examinations', idEntity: id } }, { forbidden: 'silent' }),
    retry: false,
    meta: { reportsFailure: true, live: [PromptRun.path] },
  })
  useRevealDelay(offered.isPending)
  if (!offered.data || (offered.data.prompts.length === 0 && !offered.data.run)) return null
  const { prompts, run } = offered.data
  const read = () => Promise.all([offered.refetch(), invalidateRecords(cache, PromptRun.path)])
  return (
    <>
      <ActionButton
        label="Подсказка ИИ"
        icon={IconSparkles}
        variant="default"
        onClick={() => (run ? setOpen(true) : setAsking(true))}
      />
      <SidePanel
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={
          <HStack gap={8}>
            Подсказка ИИ
            <Badge variant="light" color="grape" size="sm">
              Сформировано ИИ
            </Badge>
          </HStack>
        }
        actions={
          prompts.length > 0 &&
          !(run && isUnderWay(run.status)) && (
            <ActionButton
              label="Спросить снова"
              icon={IconSparkles}
              variant="default"
              size="compact-sm"
              onClick={() => setAsking(true)}
            />
          )
        }
      >
        {!run ? (
          <LinesSkeleton lines={4} />
        ) : (
          <VStack gap={16}>
            <RunState run={run} />
            {run.status === 'done' && (
              <>
                <Muted component="p">
                  Это черновик: проверьте каждое поле. Принятое попадает в осмотр с пометкой «Сформировано ИИ».
                </Muted>
                <Parts
                  run={run.id}
                  drafted={(run.output as { parts?: Record<string, unknown> } | null)?.parts ?? {}}
                  accepted={run.accepted ?? []}
                  ready={ready}
                  contents={contents}
                  flush={flush}
                  onTaken={async () => {
                    await invalidateRecords(cache, Examination.path)
                    onTaken()
                    await read()
                  }}
                />
                <RunFoot run={run} />
              </>
            )}
          </VStack>
        )}
      </SidePanel>
      {asking && (
        <AskDialog
          title="Черновик осмотра по разговору"
          prompts={prompts}
          asksTalk
          preview={(idPrompt, talk) =>
            api(
              'POST /examinations/:id/prompt/preview',
              { params: { id }, body: { idPrompt, talk } },
              { forbidden: 'silent' },
            )
          }
          run={async (idPrompt, talk) => {
            await api(
              'POST /examinations/:id/prompt',
              { params: { id }, body: { idPrompt, talk } },
              { forbidden: 'silent' },
            )
            await read()
            setOpen(true)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

interface PartsProps extends Pick<Props, 'ready' | 'contents' | 'flush'> {
  run: number
  drafted: Readonly<Record<string, unknown>>
  accepted: readonly string[]
  onTaken: () => Promise<void>
}

function Parts({ run, drafted, accepted, ready, contents, flush, onTaken }: PartsProps) {
  const [busy, setBusy] = useState<string>()
  const parts = Object.keys(drafted)
  const take = async (chosen: readonly string[], name: string) => {
    setBusy(name)
    try {
      if (!(await flush())) throw new Error('Сначала сохраните то, что введено: часть полей не записана')
      const now = contents()
      await api(
        'POST /prompts/runs/:id/accept',
        {
          params: { id: run },
          body: { parts: [...chosen], base: Object.fromEntries(chosen.map((part) => [part, partIn(now, part)])) },
        },
        { forbidden: 'toast' },
      )
      await onTaken()
    } catch (error) {
      notify.error(errorMessage(error))
    }
    setBusy(undefined)
  }
  const now = contents()
  const left = parts.filter((part) => !accepted.includes(part))
  return (
    <VStack gap={8}>
      <ul>
        {parts.map((part) => {
          const stands = partIn(now, part)
          const isTaken = accepted.includes(part) || isSamePart(stands, drafted[part])
          return (
            <li key={part} className={classes.part}>
              <HStack justify="space-between" align="start" wrap>
                <strong>{partLabel(part, ready.fields)}</strong>
                {isTaken ? (
                  <Fine>{accepted.includes(part) ? 'Принято' : 'Уже стоит'}</Fine>
                ) : (
                  <ActionButton
                    label={isFilled(stands) && part.startsWith('values.') ? 'Заменить' : 'Принять'}
                    aria-label={`Принять: ${partLabel(part, ready.fields)}`}
                    icon={IconCheck}
                    size="compact-sm"
                    variant="default"
                    loading={busy === part}
                    disabled={busy !== undefined}
                    onClick={() => void take([part], part)}
                  />
                )}
              </HStack>
              <p className="lines breaks">{wordsOf(ready, part, drafted[part])}</p>
              {isFilled(stands) && !isTaken && part.startsWith('values.') && (
                <Fine component="p">Сейчас: {wordsOf(ready, part, stands)}</Fine>
              )}
            </li>
          )
        })}
      </ul>
      {left.length > 1 && (
        <HStack>
          <ActionButton
            label="Принять остальное"
            icon={IconCheck}
            loading={busy === '*'}
            disabled={busy !== undefined}
            onClick={() => void take(left, '*')}
          />
        </HStack>
      )}
    </VStack>
  )
}

function wordsOf(ready: ReadyForm, part: string, value: unknown): string {
  const field = ready.fields.get(keyOfPart(part) ?? '')
  if (field)
    return field.type === 'rich'
      ? String(value)
          .replace(/<\/p><p>/g, '\n')

          .replace(/<[^<>]*>/g, '')
      : valueWords(field, value)
  if (part === 'diagnoses') return (value as Diagnosis[]).map(diagnosisWords).join('\n')
  return Array.isArray(value) ? value.join('\n') : String(value)
}
