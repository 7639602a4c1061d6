import { allowed } from '@ordinator/model/access'
import { Discount } from '@ordinator/model/areas/discounts/discount'
import { pageByKey } from '@ordinator/model/pages'
import { IconArrowLeft, IconLock } from '@tabler/icons-react'
import { useGo } from '#base/address.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { Block } from '#kit/Stacks.tsx'
import { RegistryForm } from '#records/registry/RegistryRecord.tsx'
import { DiscountForm } from './form/DiscountForm.tsx'

const initial = { kind: 'percent' } as const

/** Новая скидка: creates a draft, then opens it. */
export default function NewDiscountPage() {
  const { title, help } = pageByKey('newDiscount')
  const actor = useActor()
  const go = useGo()
  const back = () => void go({ page: 'discounts' })
  return (
    <>
      <PageHead
        title={title}
        help={help}
        start={<IconButton icon={IconArrowLeft} label="К списку: Скидки" onClick={back} />}
      />
      <Block px="var(--ord-page)" pb="var(--ord-page)">
        {allowed(actor, Discount.access.create) ? (
          <RegistryForm
            entity={Discount}
            initial={initial}
            form={(discount) => <DiscountForm discount={discount} />}
            onMade={({ id }) => void go({ page: 'discount', params: { id } }, { replace: true })}
            onCancel={back}
          />
        ) : (
          <EmptyState
            icon={IconLock}
            title="Скидки заводят другие"
            text="Вам видны условия и применения скидок. Заводит и меняет их тот, у кого есть право «Скидки: изменение»"
            action={<ActionButton label="К списку скидок" variant="default" onClick={back} />}
          />
        )}
      </Block>
    </>
  )
}
