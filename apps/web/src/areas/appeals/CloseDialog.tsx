import { SegmentedControl, Select, TextInput } from '@mantine/core'
import { Appeal, outcomes } from '@ordinator/model/areas/appeals/appeal'
import type { Update } from '@ordinator/model/entity'
import { useState } from 'react'
import { ActionDialog } from '../../kit/ActionDialog.tsx'
import { DateTimeField } from '../../kit/DateTimeField.tsx'
import { notify } from '../../kit/notify.tsx'
import { VStack } from '../../kit/Stacks.tsx'
import { useSave } from '../../records/writes.ts'
import type { OpenAppeal } from './useAppeal.ts'

type Outcome = keyof typeof outcomes

const data = Object.entries(outcomes).map(([value, label]) => ({ value, label }))

/** Nothing is closed without saying how it ended, or what is done next and when. */
export function CloseDialog({ appeal, onClose }: { appeal: OpenAppeal; onClose: () => void }) {
  const save = useSave(Appeal, { optimistic: false, toast: false })
  const [way, setWay] = useState<'outcome' | 'next'>(appeal.nextStep ? 'next' : 'outcome')
  const [outcome, setOutcome] = useState<Outcome | null>(appeal.outcome)
  const [nextStep, setNextStep] = useState(appeal.nextStep ?? '')
  const [date, setDate] = useState(appeal.dateNextStep)
  const run = async () => {
    const ends: Update<typeof Appeal> =
      way === 'outcome'
        ? { outcome, nextStep: null, dateNextStep: null }
        : { outcome: null, nextStep, dateNextStep: date }
    await save.mutateAsync({ id: appeal.id, status: 'closed', ...ends })
    notify.success('Обращение закрыто')
  }
  return (
    <ActionDialog
      title="Закрыть обращение"
      action="Закрыть обращение"
      run={run}
      onClose={onClose}
      faults={
        way === 'outcome'
          ? { outcome: outcome === null && 'Выберите, чем кончилось' }
          : { nextStep: !nextStep.trim() && 'Что будет сделано?', dateNextStep: !date && 'Когда это сделать?' }
      }
    >
      {(errorOf) => (
        <VStack gap={12}>
          <SegmentedControl
            fullWidth
            aria-label="Чем кончилось"
            data={[
              { value: 'outcome', label: 'Итог' },
              { value: 'next', label: 'Следующий шаг' },
            ]}
            value={way}
            onChange={(value) => setWay(value as 'outcome' | 'next')}
          />
          {way === 'outcome' ? (
            <Select
              label="Итог"
              withAsterisk
              data-autofocus
              data={data}
              value={outcome}
              error={errorOf('outcome')}
              onChange={(value) => setOutcome(value as Outcome | null)}
            />
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
                defaultTime="18:00"
                value={date}
                error={errorOf('dateNextStep')}
                onChange={setDate}
              />
            </>
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}
