import { Radio, SegmentedControl, Skeleton, Stack, TextInput } from '@mantine/core'
import { Outcome } from '@ordinator/model/areas/appeals/outcome'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useAccount } from '../../base/session.ts'
import { ActionDialog } from '../../kit/ActionDialog.tsx'
import { DateTimeField } from '../../kit/DateTimeField.tsx'
import { useHotkey } from '../../kit/hotkeys.ts'
import { Keys } from '../../kit/Keys.tsx'
import { VStack } from '../../kit/Stacks.tsx'
import { Fine } from '../../kit/Words.tsx'
import { useList } from '../../records/reads.ts'

/** What is sent of it: one of the two, or nothing where the clinic demands none. */
export interface Ending {
  idOutcome?: number
  nextStep?: string
  dateNextStep?: string
}

interface Props {
  title: string
  action: string
  /** «Отмена» unless told. */
  cancel?: string
  /** As it has been ended before. */
  before?: { idOutcome: number | null; nextStep: string | null; dateNextStep: string | null }
  /** A missed call is not put aside without a word, whatever the clinic demands of others. */
  demanded?: boolean
  run: (ending: Ending) => Promise<unknown>
  onClose: () => void
}

/** Outcomes that have a key of their own. */
const KEYS = 9
const MOST = 50

/** How a conversation has ended: one key picks an outcome and is done; or what comes next, and when. */
export function EndDialog({ title, action, cancel, before, demanded, run, onClose }: Props) {
  const demands = useAccount().common.settings.demandOutcome !== false || demanded === true
  const [way, setWay] = useState<'outcome' | 'next'>(before?.dateNextStep && !before.idOutcome ? 'next' : 'outcome')
  const [idOutcome, setOutcome] = useState(before?.idOutcome ?? null)
  const [nextStep, setNextStep] = useState(before?.nextStep ?? '')
  const [date, setDate] = useState(before?.dateNextStep ?? null)
  const frame = useRef<HTMLDivElement>(null)
  const list = useList(Outcome, { sort: 'order', limit: MOST }, { tells: true })
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
        way === 'outcome'
          ? { idOutcome: demands && idOutcome === null && 'Выберите итог или укажите следующий шаг' }
          : { nextStep: !nextStep.trim() && 'Что будет сделано?', dateNextStep: !date && 'Когда это сделать?' }
      }
      run={() =>
        run(
          way === 'next'
            ? { nextStep: nextStep.trim(), dateNextStep: date as string }
            : idOutcome === null
              ? {}
              : { idOutcome },
        )
      }
      onClose={onClose}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <div ref={frame} hidden />
          <SegmentedControl
            fullWidth
            aria-label="Чем закончить"
            data={[
              { value: 'outcome', label: 'Итог' },
              { value: 'next', label: 'Следующий шаг' },
            ]}
            value={way}
            onChange={(value) => setWay(value as 'outcome' | 'next')}
          />
          {way === 'outcome' ? (
            <Radio.Group
              label="Итог"
              description={demands ? undefined : 'Можно не указывать'}
              value={idOutcome === null ? null : String(idOutcome)}
              onChange={(value) => setOutcome(Number(value))}
              error={errorOf('idOutcome')}
            >
              <Stack gap={8} mt={4}>
                {list.isPending && <Skeleton height={160} />}
                {list.isError && <Fine role="alert">Итоги не загрузились: {list.error.message}</Fine>}
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
              <TextInput
                label="Что будет сделано"
                withAsterisk
                data-autofocus
                maxLength={255}
                value={nextStep}
                error={errorOf('nextStep')}
                onChange={(event) => setNextStep(event.currentTarget.value)}
              />
              <DateTimeField
                label="Когда"
                required
                defaultTime="12:00"
                value={date}
                error={errorOf('dateNextStep')}
                onChange={setDate}
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
