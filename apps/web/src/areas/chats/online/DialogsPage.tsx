import { refusal } from '@ordinator/model/access'
import { OnlineDialog, onlineStatuses, paidStates } from '@ordinator/model/areas/chats/online'
import type { Expanded } from '@ordinator/model/client'
import { counted, formatMoney } from '@ordinator/model/format'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { useQuery } from '@tanstack/react-query'
import { CustomerChip } from '#areas/customers/index.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'

type Line = Expanded<typeof OnlineDialog, 'customer' | 'user' | 'service'>

const dialogFilters = filters(OnlineDialog, {
  status: choice('status', { options: onlineStatuses, any: 'Любое состояние' }),
  paid: choice('paidState', { label: 'Оплата', options: paidStates, any: 'Платные и бесплатные' }),
  user: refs('idUser', { label: 'Врач', any: 'Любой врач' }),
  begun: period('dateCreate', { label: 'Начат' }),
})

const columns: readonly ColumnSpec<Line>[] = [
  {
    key: 'idCustomer',
    width: 190,
    cell: ({ customer }) => (customer ? <CustomerChip customer={customer} /> : <Muted>не виден</Muted>),
  },
  {
    key: 'idUser',
    label: 'Врач',
    width: 170,
    cell: ({ user }) => (user ? <UserLink user={user} /> : <Muted>никто</Muted>),
  },
  { key: 'status', width: 150 },
  {
    key: 'paidSum',
    label: 'Стоимость',
    width: 130,
    align: 'right',
    cell: ({ paidSum }) =>
      paidSum === null ? <Muted>бесплатно</Muted> : <span className="tabular">{formatMoney(paidSum)}</span>,
  },
  { key: 'paidState', label: 'Оплата', width: 180 },
  {
    key: 'answerBy',
    label: 'Ответить до',
    width: 170,
    cell: ({ answerBy, nextDueAt, dateFirstAnswer, status }) => {
      const due = dateFirstAnswer ? nextDueAt : (answerBy ?? nextDueAt)
      if (!due || status === 'closed') return <Muted>—</Muted>
      const isLate = Date.parse(due) < Date.now()
      return (
        <span className="tabular nowrap" style={isLate ? { color: 'var(--mantine-color-red-text)' } : undefined}>
          {formatDateTime(due)}
        </span>
      )
    },
  },
  { key: 'dateFirstAnswer', label: 'Первый ответ', width: 170 },
  { key: 'rating', width: 100, align: 'right' },
  { key: 'dateCreate', label: 'Начат', width: 170 },
]

/** Диалоги с врачами: paid and free questions to doctors, with available doctors, prices and answer times. */
export default function DialogsPage() {
  // Users with only the list get no link to the conversations.
  const mayTalk = !refusal(useActor(), pageByKey('serviceOnline'))
  return (
    <RegistryPage
      page={pageByKey('dialogs')}
      entity={OnlineDialog}
      filter={{ kind: 'doctor' }}
      expand={['customer', 'user', 'service']}
      columns={columns}
      filters={dialogFilters}
      pageOf={mayTalk ? (id) => `${pagePath('serviceOnline')}?dialog=${id}` : undefined}
      empty={{
        title: 'Вопросов врачам пока нет',
        text: 'Пациенты задают их в личном кабинете, когда клиника открыла диалоги с врачами.',
      }}
      layout={(list) => (
        <VStack gap={12} px="var(--ord-page)" pb={24}>
          <Offer />
          {list}
        </VStack>
      )}
    />
  )
}

/** Available doctors, prices and answer times. */
function Offer() {
  const maySet = useActor().permissions.mainSettings
  const { data, isPending } = useQuery({
    queryKey: ['doctorsOffer'],
    queryFn: ({ signal }) => api('GET /service-online/doctors', {}, { signal }),
  })
  useRevealDelay(isPending)
  if (!data) return null
  const { offer } = data
  return (
    <Block component="section" framed p={16} aria-label="Условия">
      <HStack wrap justify="space-between" gap="8px 24px">
        {offer ? (
          <VStack gap={4}>
            <strong>{offer.service}</strong>
            <Fine>Первый ответ за {counted(offer.hours, ['час', 'часа', 'часов'])}, иначе деньги возвращаются</Fine>
            <HStack wrap gap="4px 16px">
              {offer.doctors.map(({ id, name, post, price }) => (
                <span key={id}>
                  {name}
                  {post && <Muted> {post}</Muted>} <span className="tabular">{formatMoney(price)}</span>
                </span>
              ))}
            </HStack>
          </VStack>
        ) : (
          <Muted>Сейчас пациенты не могут спросить врача: услуга, цена или приём оплаты онлайн не настроены.</Muted>
        )}
        {maySet && (
          <ActionButton
            label="Настроить"
            variant="default"
            size="compact-sm"
            renderRoot={(props) => <PageLink {...props} page="clientSettings" />}
          />
        )}
      </HStack>
    </Block>
  )
}
