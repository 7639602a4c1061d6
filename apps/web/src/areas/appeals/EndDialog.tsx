import { Radio, Skeleton, Stack } from '@mantine/core'
import { Outcome } from '@ordinator/model/areas/appeals/outcome'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useAccount } from '#base/session.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { FailedLoad } from '#kit/FailedLoad.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { Keys } from '#kit/Keys.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { NextStepFields, useNextStep, WayField } from './nextStep.tsx'

/** Outcome or next step; neither if the clinic requires none. */
export interface Ending {
  idOutcome?: number
  nextStep?: string
  dateNextStep?: string
}

interface Props {
  title: string
  action: string
  /** Label of the cancel button, «Отмена» by default. */
  cancel?: string
  /** The ending set before. */
  before?: { idOutcome: number | null; nextStep: string | null; dateNextStep: string | null }
  /** Requires an ending whatever the clinic's setting, as for a missed call. */
  demanded?: boolean
  run: (ending: Ending) => Promise<unknown>
  onClose: () => void
}

/** Number of outcomes with a digit key. */
const KEYS = 9
const MOST = 50

/** Ends a conversation: one key picks an outcome and submits; or the next step with its date. */
export function EndDialog({ title, action, cancel, before, demanded, run, onClose }: Props) {
  const demands = useAccount().common.settings.demandOutcome !== false || demanded === true
  const step = useNextStep(before, before?.dateNextStep && !before.idOutcome ? 'next' : 'outcome')
  const [idOutcome, setOutcome] = useState(before?.idOutcome ?? null)
  const frame = useRef<HTMLDivElement>(null)
  const list = useList(Outcome, { sort: 'order', limit: MOST }, { reportsFailure: true })
  const outcomes = list.data?.items ?? []
  const pick = (id: number) => {
    flushSync(() => setOutcome(id))
    frame.current?.closest('form')?.requestSubmit()
  }
  return (
    <ActionDialog
      title={title}
      action={action}
      {...(cancel && { cancel })}
      size={440}
      faults={
        step.way === 'outcome'
          ? { idOutcome: demands && idOutcome === null && 'Выберите итог или укажите следующий шаг' }
          : step.faults
      }
      run={() => run(step.way === 'next' ? step.value : idOutcome === null ? {} : { idOutcome })}
      onClose={onClose}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <div ref={frame} hidden />
          <WayField step={step} label="Чем закончить" />
          {step.way === 'outcome' ? (
            <Radio.Group
              label="Итог"
              description={demands ? undefined : 'Можно не указывать'}
              value={idOutcome === null ? null : String(idOutcome)}
              onChange={(value) => setOutcome(Number(value))}
              error={errorOf('idOutcome')}
            >
              <Stack gap={8} mt={4}>
                {list.isPending && <Skeleton height={160} />}
                {list.isError && !list.data && <FailedLoad what="Итоги не загрузились" load={list} />}
                {list.data && outcomes.length === 0 && (
                  <Fine>Список итогов пуст: его заводят в журнале, на вкладке «Итоги разговоров».</Fine>
                )}
                {outcomes.map(({ id, name }, at) => (
                  <Radio
                    key={id}
                    value={String(id)}
                    label={
                      <>
                        {name} {at < KEYS && <Keys keys={String(at + 1)} />}
                      </>
                    }
                    data-autofocus={at === 0 || undefined}
                  />
                ))}
                {outcomes.slice(0, KEYS).map(({ id, name }, at) => (
                  <OutcomeKey key={id} digit={at + 1} name={name} onPress={() => pick(id)} />
                ))}
              </Stack>
            </Radio.Group>
          ) : (
            <>
              <NextStepFields
                step={step}
                errors={{ nextStep: errorOf('nextStep'), dateNextStep: errorOf('dateNextStep') }}
                defaultTime="12:00"
              />
              <Fine>Обещание встанет на доску «Никто не забыт» и будет там, пока вы не запишете итог.</Fine>
            </>
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}

function OutcomeKey({ digit, name, onPress }: { digit: number; name: string; onPress: () => void }) {
  useHotkey(String(digit), onPress, { label: `Итог: ${name}`, group: 'Чем закончить' })
  return null
}
