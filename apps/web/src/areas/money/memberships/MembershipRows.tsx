import { Membership } from '@ordinator/model/areas/memberships/membership'
import { membershipStates, restWords } from '@ordinator/model/areas/memberships/rules'
import { formatDay } from '@ordinator/model/format'
import { IconHistory } from '@tabler/icons-react'
import { useGo } from '#base/address.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import classes from '../account/Account.module.css'

const MEMBERSHIPS = 50

export const useMemberships = (idCustomer: number) =>
  useList(
    Membership,
    { filter: { 'users.idCustomer': idCustomer }, expand: ['buyer'], limit: MEMBERSHIPS },
    { forbidden: 'silent', live: ['payments', 'coupon-services'] },
  )

/** Memberships that pay for a customer's visits; hidden without any. */
export function MembershipRows({ idCustomer }: { idCustomer: number }) {
  const list = useMemberships(idCustomer)
  const go = useGo()
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data?.items.length) return null
  return (
    <section aria-label="Абонементы">
      <h2 className={classes.title}>Абонементы</h2>
      <VStack component="ul" gap={4}>
        {list.data.items.map((one) => (
          <HStack key={one.id} component="li" framed pl={12} pr={4} py={4} mih={40}>
            <Block grow miw={0} className="breaks">
              {one.name}
              {one.buyer && one.idBuyer !== idCustomer && ` · купил ${one.buyer.shortFio}`}
              <Fine component="div">
                {membershipStates[one.state]} · {restWords(one)}
                {one.reserved > 0 && ` · записано ${one.reserved}`}
                {one.state === 'frozen' && one.frozenTo && ` · до ${formatDay(one.frozenTo)}`}
              </Fine>
            </Block>
            <IconButton
              icon={IconHistory}
              label={`Остаток и история: ${one.name}`}
              onClick={() => void go({ page: 'memberships', search: { open: one.id } })}
            />
          </HStack>
        ))}
      </VStack>
    </section>
  )
}
