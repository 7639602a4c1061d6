import { Customer } from '@ordinator/model/areas/customers/customer'
import { SnilsQuery, snilsStates } from '@ordinator/model/areas/eln/snils'
import { identifierText } from '@ordinator/model/identifiers'
import { IconSearch } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { retries, useList } from '#records/reads.ts'
import classes from './Eln.module.css'
import { toast } from './leave.ts'

const LAST = 5

/** Search for the СНИЛС of a card, with results. */
export default function SnilsHistory({ idCustomer }: { idCustomer: number }) {
  const cache = useQueryClient()
  const mayAsk = useCan('update', Customer)
  const list = useList(SnilsQuery, { filter: { idCustomer }, sort: '-id', limit: LAST }, { forbidden: 'silent' })
  const state = useQuery({
    queryKey: ['snils', 'state'],
    queryFn: ({ signal }) => api('GET /snils/state', {}, { signal, forbidden: 'silent' }),
    retry: retries,
  })
  const fresh = () => Promise.all([invalidateRecords(cache, SnilsQuery.path), invalidateRecords(cache, Customer.path)])
  const ask = useMutation({
    mutationFn: () => api('POST /snils/queries', { body: { idCustomer } }, toast),
    onError: notifyFailure,
    onSuccess: async () => {
      await fresh()
      notify.success('Запрос отправлен в СФР')
    },
  })
  const take = useMutation({
    mutationFn: ({ id, snils }: { id: number; snils: string }) =>
      api('POST /snils/queries/:id/take', { params: { id }, body: { snils } }, toast),
    onError: notifyFailure,
    onSuccess: async () => {
      await fresh()
      notify.success('СНИЛС взят в карту')
    },
  })
  const rows = list.data?.items ?? []
  const isSet = state.data?.isSet === true
  if (!isSet && rows.length === 0) return null
  return (
    <section aria-label="Поиск СНИЛС">
      <HStack justify="space-between" wrap>
        <h2 className={classes.title}>Поиск СНИЛС</h2>
        {mayAsk && isSet && (
          <ActionButton
            label="Спросить СФР"
            icon={IconSearch}
            variant="default"
            loading={ask.isPending}
            onClick={() => ask.mutate()}
          />
        )}
      </HStack>
      {!isSet && state.data && <Fine>{state.data.words}</Fine>}
      <ul className={classes.events}>
        {rows.map(({ id, dateCreate, status, snils, words, variants }) => (
          <li key={id}>
            <Fine>{formatDateTime(dateCreate)}</Fine> {snilsStates[status]}
            {snils && `: ${identifierText('snils', snils)}`}
            {words && `. ${words}`}
            {mayAsk &&
              (status === 'several' || status === 'mismatch') &&
              (variants ?? []).map((one) => (
                <HStack key={one.snils} gap={8} mt={4}>
                  <span className="tabular">
                    {identifierText('snils', one.snils)} {one.note && `(${one.note})`}
                  </span>
                  <ActionButton
                    label="Взять в карту"
                    variant="subtle"
                    size="compact-sm"
                    loading={take.isPending}
                    onClick={() => take.mutate({ id, snils: one.snils })}
                  />
                </HStack>
              ))}
          </li>
        ))}
      </ul>
    </section>
  )
}
