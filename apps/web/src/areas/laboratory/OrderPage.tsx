import { Badge } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { LabOrder, paidStates } from '@ordinator/model/areas/laboratory/order'
import { cancelReasons } from '@ordinator/model/areas/laboratory/states'
import { urgencies } from '@ordinator/model/areas/laboratory/words'
import { User } from '@ordinator/model/areas/staff/user'
import { formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { CustomerChip } from '#areas/customers/index.ts'
import { formatDateTime } from '#kit/clock.ts'
import { useRevealDelay } from '#kit/RevealTogether.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { useRecord } from '#records/reads.ts'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import classes from './Laboratory.module.css'
import { OrderActions, type OrderRow } from './order/OrderActions.tsx'
import { Samples } from './order/Samples.tsx'
import { Tests } from './order/Tests.tsx'
import { laboratoryLive } from './reads.ts'
import { OrderBadge } from './words.tsx'

/** Заказ анализов: tests and values, tubes, payment, papers. */
export default function OrderPage() {
  return (
    <RegistryRecordPage
      entity={LabOrder}
      list={pageByKey('labOrders')}
      live={[...laboratoryLive, 'coupon-services', 'payments']}
      help={({ urgency, diagnosis, comment }) =>
        [urgency === 'cito' && urgencies.cito, diagnosis, comment].filter(Boolean).join(' · ')
      }
      actions={(order) => <OrderActions order={order} />}
      under={(order) => <OrderHead order={order} />}
      main={{ label: 'Исследования', panel: (order) => <Tests order={order} /> }}
      tabs={{ samples: { label: 'Пробы', panel: (order) => <Samples order={order} /> } }}
    />
  )
}

function OrderHead({ order }: { order: OrderRow }) {
  const { status, sum, paid, paidStatus, cost, dueAt, isLate, takenAt, doneAt, issuedAt, cancelReason, cancelNote } =
    order
  const customer = useRecord(Customer, order.idCustomer, {}, { forbidden: 'silent' })
  const doctor = useRecord(User, order.idDoctor ?? undefined, {}, { forbidden: 'silent' })
  useRevealDelay(customer.isLoading)
  const facts: readonly (readonly [string, string])[] = [
    ['Сумма', formatMoney(sum)],
    ['Оплата', paidStatus === 'part' ? `${formatMoney(paid)} из ${formatMoney(sum)}` : paidStates[paidStatus]],
    ['Себестоимость', formatMoney(cost)],
    ['Срок', dueAt ? `${formatDateTime(dueAt)}${isLate ? ', просрочен' : ''}` : '—'],
    ['Взят', takenAt ? formatDateTime(takenAt) : '—'],
    [issuedAt ? 'Выдан' : 'Готов', issuedAt || doneAt ? formatDateTime(issuedAt ?? (doneAt as string)) : '—'],
  ]
  return (
    <VStack gap={12} mb={8}>
      <HStack wrap gap="6px 16px">
        <OrderBadge status={status} size="lg" />
        {order.reissue && (
          <Badge color="orange" variant="light" size="lg" title="Выданный бланк изменился">
            Выдать заново
          </Badge>
        )}
        {customer.data && <CustomerChip customer={customer.data} />}
        {doctor.data && (
          <Fine>
            врач <UserLink user={doctor.data} />
          </Fine>
        )}
        {cancelReason && <Fine>{[cancelReasons[cancelReason], cancelNote].filter(Boolean).join(': ')}</Fine>}
      </HStack>
      <dl className={classes.facts} aria-label="Заказ">
        {facts.map(([label, value]) => (
          <div key={label} className={classes.fact}>
            <dt>{label}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
    </VStack>
  )
}
