import { TextInput } from '@mantine/core'
import { PromoCode } from '@ordinator/model/areas/discounts/promoCode'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { DateField } from '#kit/DateField.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { Tiles } from '#kit/Stacks.tsx'
import { invalidateRecords } from '#records/keys.ts'

const CODES = ['код', 'кода', 'кодов'] as const

const draft = { count: 100 as number | null, limit: 1 as number | null, prefix: '', expires: null as string | null }

/** Generates random codes; the list exports them. */
export function GenerateCodes({ idDiscount, onClose }: { idDiscount: number; onClose: () => void }) {
  const cache = useQueryClient()
  return (
    <FormDialog
      title="Выпустить коды"
      action="Выпустить"
      size={520}
      draft={draft}
      required={{ count: 'Обязательное поле' }}
      send={({ count, limit, prefix, expires }) =>
        api(
          'POST /discounts/:id/generate-codes',
          {
            params: { id: idDiscount },
            body: { count, ...(limit !== null && { limit }), ...(prefix && { prefix }), ...(expires && { expires }) },
          },
          { forbidden: 'toast' },
        )
      }
      done={async ({ made }) => {
        await invalidateRecords(cache, PromoCode.path)
        notify.success(`Выпущено: ${counted(made, CODES)}. Выгрузить их можно из списка`)
      }}
      onClose={onClose}
    >
      {({ text, number, value }) => (
        <Tiles tile={200} fit gap={16}>
          <NumberField label="Сколько" description="До 1 000" {...number('count')} />
          <NumberField label="Применений у каждого" description="Пусто — один раз" {...number('limit')} />
          <TextInput label="Начало кода" description="Например, ЗИМА-" {...text('prefix')} />
          <DateField label="Действуют по" description="Пусто — без срока" {...value('expires')} />
        </Tiles>
      )}
    </FormDialog>
  )
}
