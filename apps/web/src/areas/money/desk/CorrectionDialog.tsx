import { SegmentedControl, Select, TextInput } from '@mantine/core'
import { correctionTypes, FiscalTask } from '@ordinator/model/areas/money/fiscal'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { recordsWith } from '#base/client.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { ReasonField } from '../ReasonField.tsx'
import { notPrinted, readMoney, useOperationKey } from '../reads.ts'

interface Props {
  /** A payment without a printed receipt, or a settlement outside the desk. */
  of: { idPayment: number; date: string } | { idDesk: number }
  onClose: () => void
}

const kinds = { sell: 'Приход', sellReturn: 'Возврат' } as const
const means = { cash: 'Наличные', electronically: 'Безналичные' } as const

/** Correction receipt: settlement, reason, document. */
export function CorrectionDialog({ of, onClose }: Props) {
  const cache = useQueryClient()
  const [key] = useOperationKey()
  const [kind, setKind] = useState<keyof typeof kinds>('sell')
  const [by, setBy] = useState<keyof typeof means>('cash')
  const [sum, setSum] = useState<number | string | null>(null)
  const [type, setType] = useState<keyof typeof correctionTypes>('self')
  const [date, setDate] = useState<string | null>('date' in of ? of.date : today())
  const [number, setNumber] = useState('')
  const [reason, setReason] = useState('')
  const isOfDesk = 'idDesk' in of
  const run = async () => {
    const correction = { type, date: date as string, number, reason }
    if (isOfDesk)
      await api('POST /cash-desks/:id/correct-receipt', {
        params: { id: of.idDesk },
        body: { key, kind, means: by, sum: sum as number, correction },
      })
    else {
      const { items } = await quiet.list(FiscalTask, { filter: notPrinted(of.idPayment), sort: '-id', limit: 1 })
      await api('POST /fiscal-tasks/:id/repair', {
        params: { id: items[0]?.id ?? 0 },
        body: { as: 'correction', correction },
      })
    }
    await readMoney(cache)
    notify.success('Чек коррекции отправлен на регистратор')
  }
  return (
    <ActionDialog
      title="Чек коррекции"
      action="Пробить"
      onClose={onClose}
      faults={{
        sum: isOfDesk && typeof sum !== 'number' && 'Укажите сумму',
        'correction.date': !date && 'Укажите день расчёта',
        'correction.number': !number.trim() && 'Укажите номер документа',
        'correction.reason': reason.trim().length < 3 && 'Укажите причину',
      }}
      run={run}
    >
      {(errorOf) => (
        <>
          {isOfDesk && (
            <>
              <HStack wrap gap={12}>
                <SegmentedControl
                  aria-label="Какой расчёт"
                  data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
                  value={kind}
                  onChange={(value) => setKind(value as keyof typeof kinds)}
                />
                <SegmentedControl
                  aria-label="Чем платили"
                  data={Object.entries(means).map(([value, label]) => ({ value, label }))}
                  value={by}
                  onChange={(value) => setBy(value as keyof typeof means)}
                />
              </HStack>
              <NumberField
                label="Сумма"
                required
                data-autofocus
                digits={2}
                unit="₽"
                value={sum}
                error={errorOf('sum')}
                onChange={setSum}
              />
            </>
          )}
          <Select
            label="Основание"
            required
            allowDeselect={false}
            data={Object.entries(correctionTypes).map(([value, label]) => ({ value, label }))}
            value={type}
            onChange={(value) => setType(value as keyof typeof correctionTypes)}
          />
          <HStack gap={12} align="flex-start" wrap>
            <Block flex="1 1 160px">
              <DateField
                label="День расчёта"
                required
                value={date}
                error={errorOf('correction.date')}
                onChange={setDate}
              />
            </Block>
            <TextInput
              label={type === 'self' ? 'Номер документа' : 'Номер предписания'}
              required
              flex="1 1 160px"
              maxLength={32}
              autoComplete="off"
              value={number}
              error={errorOf('correction.number')}
              onChange={(event) => setNumber(event.currentTarget.value)}
            />
          </HStack>
          <ReasonField value={reason} error={errorOf('correction.reason')} onChange={setReason} />
        </>
      )}
    </ActionDialog>
  )
}

const quiet = recordsWith({ forbidden: 'silent' })
