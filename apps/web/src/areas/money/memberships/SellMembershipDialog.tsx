import { Select, TextInput } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { MembershipType } from '@ordinator/model/areas/memberships/type'
import { CERTIFICATE_NUMBER } from '@ordinator/model/areas/money/certificate'
import { moneyMethods, type PaymentMethod, paymentMethods } from '@ordinator/model/areas/money/methods'
import { TreatmentPlan } from '@ordinator/model/areas/plans/plan'
import { formatMoney } from '@ordinator/model/format'
import { useQuery } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useList } from '#records/reads.ts'
import { BuyerField, useTaking } from '../desk/useTaking.tsx'

interface Props {
  idDesk?: number
  /** The buyer. */
  idCustomer?: number
  /** Sells what is left of this plan as a package. */
  plan?: { id: number; name: string }
  onClose: () => void
}

const names = {
  idType: 'membership.idType',
  idUser: 'membership.users.0',
  method: 'parts.0.method',
  certificate: 'parts.0.certificate',
}

/** Sells a membership at the price of its type; the receipt is a prepayment of 100 %. */
export function SellMembershipDialog(props: Props) {
  const { desk, isByLink, take, handedOff, deskFields } = useTaking(props)
  const types = useList(MembershipType, { filter: { active: true }, limit: 200 })
  const found = types.data?.items ?? []
  const typeOf = (id: number | null) => found.find((one) => one.id === id)
  const { plan } = props
  const pack = useQuery({
    queryKey: ['records', TreatmentPlan.path, 'package', plan?.id],
    queryFn: ({ signal }) =>
      api('GET /customer-plans/:id/package', { params: { id: plan?.id ?? 0 } }, { signal, forbidden: 'silent' }),
    enabled: plan !== undefined,
  })
  /** What is sold, once it is known. */
  const soldBy = (idType: number | null) => {
    if (plan)
      return pack.data?.why === null
        ? { name: plan.name, price: pack.data.price, membership: { idPlan: plan.id } }
        : undefined
    const type = typeOf(idType)
    return type && { name: type.nameType, price: type.price, membership: { idType: type.id } }
  }
  if (handedOff) return handedOff
  return (
    <FormDialog
      title={plan ? 'Продать план пакетом' : 'Продать абонемент'}
      size={520}
      action={({ idType }) => {
        const sold = soldBy(idType)
        return sold ? `Принять ${formatMoney(sold.price)}` : 'Принять оплату'
      }}
      disabled={!desk || isByLink || (plan ? pack.data?.why !== null : found.length === 0)}
      draft={{
        idCustomer: props.idCustomer ?? null,
        idType: null as number | null,
        method: 'cash' as PaymentMethod,
        certificate: '',
        idUser: null as number | null,
      }}
      names={names}
      required={{ idCustomer: 'Выберите, кто покупает' }}
      faults={({ idType, method, certificate }) => ({
        'membership.idType': !plan && idType === null && 'Выберите вид абонемента',
        'parts.0.certificate': method === 'certificate' && !certificate.trim() && 'Укажите номер сертификата',
      })}
      send={async ({ idCustomer, idType, method, certificate, idUser }) => {
        const sold = soldBy(idType)
        if (!sold) return false
        const taken = await take({
          idCustomer: idCustomer as number,
          parts: [{ method, sum: sold.price, ...(method === 'certificate' && { certificate }) }],
          membership: { ...sold.membership, ...(idUser !== null && { users: [idUser] }) },
        })
        if (taken) notify.success(plan ? `План «${sold.name}» продан пакетом` : `Абонемент «${sold.name}» продан`)
        return taken !== false
      }}
      done={(isSold) => isSold}
      onClose={props.onClose}
    >
      {({ draft, value, choice, text }) =>
        types.isError || pack.isError ? (
          <ErrorState
            error={types.error ?? pack.error}
            onRetry={() => {
              void types.refetch()
              if (plan) void pack.refetch()
            }}
          />
        ) : plan && pack.data?.why ? (
          <EmptyState title="Пакет не продать" text={pack.data.why} />
        ) : !plan && types.data && found.length === 0 ? (
          <EmptyState title="Видов абонементов нет" text="Их заводят в «Видах абонементов»: цена, посещения, услуги" />
        ) : (
          <VStack gap={12}>
            {props.idCustomer === undefined && <BuyerField {...value('idCustomer')} />}
            {deskFields}
            {plan ? (
              <ul aria-label="Что войдёт в пакет">
                {pack.data?.lines.map(({ service, qty, sum }) => (
                  <li key={service}>
                    {service} × {qty}, {formatMoney(sum)}
                  </li>
                ))}
              </ul>
            ) : (
              <RefSelect to={MembershipType.path} filter={{ active: true }} label="Вид" required {...value('idType')} />
            )}
            {typeOf(draft.idType)?.note && <Fine>{typeOf(draft.idType)?.note}</Fine>}
            <Select
              label="Чем платят"
              allowDeselect={false}
              data={[...moneyMethods, 'certificate' as const].map((method) => ({
                value: method,
                label: paymentMethods[method],
              }))}
              {...choice('method')}
            />
            {draft.method === 'certificate' && (
              <TextInput
                label="Номер сертификата"
                required
                maxLength={CERTIFICATE_NUMBER.max}
                {...text('certificate')}
              />
            )}
            {!plan && (
              <RefSelect
                to={Customer.path}
                label="Кто будет ходить"
                placeholder="Сам покупатель"
                {...value('idUser')}
              />
            )}
          </VStack>
        )
      }
    </FormDialog>
  )
}
