import { pageByKey } from '@ordinator/model/pages'
import { PageHead } from '#kit/PageHead.tsx'
import { Block } from '#kit/Stacks.tsx'
import { FamilyTabs } from '#records/registry/FamilyTabs.tsx'
import { Check } from './Check.tsx'

/** Расчёт скидки: a basket with all active discounts. */
export default function DiscountCheckPage() {
  const page = pageByKey('discountCheck')
  return (
    <>
      <PageHead title={page.title} help={page.help}>
        <FamilyTabs page={page} />
      </PageHead>
      <Block px="var(--ord-page)" pb="var(--ord-page)">
        <Check />
      </Block>
    </>
  )
}
