import { SegmentedControl, Select, TextInput } from '@mantine/core'
import { correctionTypes, FiscalTask } from '@ordinator/model/areas/money/fiscal'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { recordsWith } from '#base/client.ts'
import { today } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { ReasonField } from '../ReasonField.tsx'
import { notPrinted, readMoney, useOperationKey } from '../reads.ts'
import { wrongReason } from '../SumAndReason.tsx'

interface Props {
  /** A payment without a printed receipt, or a settlement outside the desk. */
  of: { idPayment: number; date: string } | { idDesk: number }
  onClose: () => void
}

const kinds = { sell: 'Приход', sellReturn: 'Возврат' } as const
const means = { cash: 'Наличные', electronically: 'Безналичные' } as const

/** Names of the fields in the body. */
const names = { date: 'correction.date', number: 'correction.number', reason: 'correction.reason' }

/** Correction receipt: settlement, reason, document. */
export function CorrectionDialog({ of, onClose }: Props) {
  const cache = useQueryClient()
  const [key] = useOperationKey()
  const isOfDesk = 'idDesk' in of
  return (
    <FormDialog
      title="Чек коррекции"
      action="Пробить"
      draft={{
        kind: 'sell' as keyof typeof kinds,
        means: 'cash' as keyof typeof means,
        sum: null as number | null,
        type: 'self' as keyof typeof correctionTypes,
        date: ('date' in of ? of.date : today()) as string | null,
        number: '',
        reason: '',
      }}
      names={names}
      required={{ date: 'Укажите день расчёта', number: 'Укажите номер документа' }}
      faults={(draft) => ({
        sum: isOfDesk && draft.sum === null && 'Укажите сумму',
        [names.reason]: wrongReason(draft),
      })}
      send={async ({ kind, means, sum, ...correction }) => {
        if (isOfDesk)
          return api('POST /cash-desks/:id/correct-receipt', {
            params: { id: of.idDesk },
            body: { key, kind, means, sum: sum as number, correction },
          })
        const { items } = await quiet.list(FiscalTask, { filter: notPrinted(of.idPayment), sort: '-id', limit: 1 })
        return api('POST /fiscal-tasks/:id/repair', {
          params: { id: items[0]?.id ?? 0 },
          body: { as: 'correction', correction },
        })
      }}
      done={async () => {
        await readMoney(cache)
        notify.success('Чек коррекции отправлен на регистратор')
      }}
      onClose={onClose}
    >
      {({ draft: { type }, text, number, value, choice }) => (
        <>
          {isOfDesk && (
            <>
              <HStack wrap gap={12}>
                <SegmentedControl
                  aria-label="Какой расчёт"
                  data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
                  {...choice('kind')}
                />
                <SegmentedControl
                  aria-label="Чем платили"
                  data={Object.entries(means).map(([value, label]) => ({ value, label }))}
                  {...choice('means')}
                />
              </HStack>
              <NumberField label="Сумма" required data-autofocus digits={2} unit="₽" {...number('sum')} />
            </>
          )}
          <Select
            label="Основание"
            required
            allowDeselect={false}
            data={Object.entries(correctionTypes).map(([value, label]) => ({ value, label }))}
            {...choice('type')}
          />
          <HStack gap={12} align="flex-start" wrap>
            <Block flex="1 1 160px">
              <DateField label="День расчёта" required {...value('date')} />
            </Block>
            <TextInput
              label={type === 'self' ? 'Номер документа' : 'Номер предписания'}
              required
              flex="1 1 160px"
              maxLength={32}
              autoComplete="off"
              {...text('number')}
            />
          </HStack>
          <ReasonField {...value('reason')} />
        </>
      )}
    </FormDialog>
  )
}

const quiet = recordsWith({ forbidden: 'silent' })
