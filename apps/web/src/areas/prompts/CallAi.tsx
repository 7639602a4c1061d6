import { Badge } from '@mantine/core'
import { Call, CallCheck } from '@ordinator/model/areas/calls/call'
import { callAnswerOf } from '@ordinator/model/areas/prompts/answer'
import { isUnderWay, PromptRun } from '@ordinator/model/areas/prompts/prompt'
import type { Row } from '@ordinator/model/entity'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { IconChecklist, IconHeartHandshake, IconSparkles } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime, momentOf, zoneNow } from '#kit/clock.ts'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { AskDialog } from './AskDialog.tsx'
import { CallAnswer } from './CallAnswer.tsx'
import { type Run, RunFoot, RunState } from './RunState.tsx'

/** Default time of a step without one. */
const USUAL = '10:00'

/** Model results for a call: summary, check list, next step; each can be accepted. */
export function CallAi({ call }: { call: Row<typeof Call> }) {
  const actor = useActor()
  const cache = useQueryClient()
  const [asking, setAsking] = useState(false)
  const { id } = call
  const offered = useQuery({
    queryKey: ['prompts', 'offered', 'calls', id],
    queryFn: () => api('GET /prompts/offered', { query: { subject: 'calls', idEntity: id } }, { forbidden: 'silent' }),
    retry: false,
    meta: { reportsFailure: true, live: [PromptRun.path] },
  })
  if (!offered.data || (offered.data.prompts.length === 0 && !offered.data.run)) return null
  const { prompts, run } = offered.data
  const read = () => Promise.all([offered.refetch(), invalidateRecords(cache, PromptRun.path)])
  const isMine = run?.idUser === actor.id
  return (
    <section aria-label="Разбор нейросетью">
      <HStack justify="space-between" wrap mb={8}>
        <HStack gap={8}>
          <h2>Разбор нейросетью</h2>
          {run?.status === 'done' && (
            <Badge variant="light" color="grape" size="sm">
              Сформировано ИИ
            </Badge>
          )}
        </HStack>
        {prompts.length > 0 && !(run && isUnderWay(run.status)) && (
          <ActionButton
            label={run?.status === 'done' ? 'Спросить снова' : 'Разобрать разговор'}
            icon={IconSparkles}
            variant="default"
            size="compact-sm"
            onClick={() => setAsking(true)}
          />
        )}
      </HStack>
      {run ? (
        <VStack gap={16}>
          <RunState run={run} />
          {run.status === 'done' && <Finished run={run} call={call} onTaken={read} />}
          {run.status === 'done' && <RunFoot run={run} mayRate={isMine} />}
        </VStack>
      ) : (
        <Muted>Краткое содержание, чек-лист и следующий шаг по расшифровке разговора.</Muted>
      )}
      {asking && (
        <AskDialog
          title="Разобрать разговор"
          prompts={prompts}
          preview={(idPrompt) =>
            api('POST /calls/:id/prompt/preview', { params: { id }, body: { idPrompt } }, { forbidden: 'silent' })
          }
          run={async (idPrompt) => {
            await api('POST /calls/:id/prompt', { params: { id }, body: { idPrompt } }, { forbidden: 'silent' })
            await read()
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}

function Finished({ run, call, onTaken }: { run: Run; call: Row<typeof Call>; onTaken: () => Promise<unknown> }) {
  const cache = useQueryClient()
  const [busy, setBusy] = useState<'checks' | 'step'>()
  const answer = callAnswerOf(run)
  const [when, setWhen] = useState<string | null>(
    () => answer.nextStep?.date ?? momentOf(plusDays(dayIn(zoneNow(), Date.now()), 1), USUAL),
  )
  const taken = run.accepted ?? []
  const take = async (what: 'checks' | 'step', ask: () => Promise<unknown>, done: string) => {
    setBusy(what)
    try {
      await ask()
      await Promise.all([onTaken(), invalidateRecords(cache, Call.path), invalidateRecords(cache, CallCheck.path)])
      notify.success(done)
    } catch (error) {
      notify.error(errorMessage(error))
    }
    setBusy(undefined)
  }
  const params = { id: run.id }
  const isPromised = call.nextStep !== null && call.nextStep === answer.nextStep?.text
  return (
    <CallAnswer
      answer={answer}
      checkTools={
        taken.includes('checks') ? (
          <Fine>Принят{run.dateAccepted && ` ${formatDateTime(run.dateAccepted)}`}</Fine>
        ) : (
          <ActionButton
            label="Принять чек-лист"
            icon={IconChecklist}
            size="compact-sm"
            variant="default"
            loading={busy === 'checks'}
            onClick={() =>
              void take(
                'checks',
                () => api('POST /prompts/runs/:id/checks', { params }, { forbidden: 'toast' }),
                'Чек-лист принят',
              )
            }
          />
        )
      }
      stepTools={
        isPromised ? (
          <Fine>Обещание: {call.dateNextStep && formatDateTime(call.dateNextStep)}</Fine>
        ) : (
          <HStack wrap mt={8} align="end">
            <DateTimeField label="Когда" w={220} value={when} onChange={setWhen} />
            <ActionButton
              label="В обещания"
              icon={IconHeartHandshake}
              loading={busy === 'step'}
              disabled={!when}
              onClick={() =>
                void take(
                  'step',
                  () =>
                    api(
                      'POST /prompts/runs/:id/step',
                      { params, body: { text: answer.nextStep?.text ?? '', date: when as string } },
                      { forbidden: 'toast' },
                    ),
                  'Следующий шаг стал обещанием',
                )
              }
            />
          </HStack>
        )
      }
    />
  )
}
