import { Discount, type DiscountStatus, kindsByCode, nextStatuses } from '@ordinator/model/areas/discounts/discount'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { IconArchive, IconCopy, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { useCan } from '#records/Can.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RemoveItem } from '#records/RemoveItem.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { useRemove, useSave } from '#records/writes.ts'
import { Check } from './check/Check.tsx'
import { Codes } from './codes/Codes.tsx'
import { DiscountForm } from './form/DiscountForm.tsx'
import { StateBadge } from './StateBadge.tsx'
import { Uses } from './Uses.tsx'

type Line = Row<typeof Discount>

const tabs: RecordParts<typeof Discount>['tabs'] = {
  check: { label: 'Проверить', panel: (discount) => <Check discount={discount} /> },
  codes: {
    label: 'Коды',
    when: ({ kind }) => kindsByCode.includes(kind),
    panel: (discount) => <Codes discount={discount} />,
  },
  uses: { label: 'Применения', panel: ({ id }) => <Uses idDiscount={id} /> },
}

/** Скидка: all data, and a test calculation. */
export default function DiscountPage() {
  return (
    <RegistryRecordPage
      entity={Discount}
      list={pageByKey('discounts')}
      help={({ version }) => (version > 1 ? `Версия ${version}` : '')}
      actions={(discount) => (
        <>
          <StateBadge discount={discount} size="lg" />
          <Actions discount={discount} />
        </>
      )}
      form={(discount) => <DiscountForm discount={discount} />}
      tabs={tabs}
    />
  )
}

const done: Record<DiscountStatus, string> = {
  draft: '',
  active: 'Скидка включена',
  paused: 'Скидка выключена',
  archived: 'Скидка в архиве',
}

function Actions({ discount }: { discount: Line }) {
  const { id, status, name } = discount
  const go = useGo()
  const cache = useQueryClient()
  const mayEdit = useCan('update', Discount)
  const save = useSave(Discount, { optimistic: false })
  const remove = useRemove(Discount, { message: `Скидка «${name}» удалена` })
  const copy = useMutation({
    mutationFn: () => api('POST /discounts/:id/copy', { params: { id } }, { forbidden: 'toast' }),
    onError: notifyFailure,
    onSuccess: async (made) => {
      await invalidateRecords(cache, Discount.path)
      notify.success('Новая версия — черновик')
      void go({ page: 'discount', params: { id: made.id } })
    },
  })
  if (!mayEdit) return null
  const may = (next: DiscountStatus) => nextStatuses[status].includes(next)
  const set = (next: DiscountStatus) =>
    save.mutate(
      { id, status: next },
      {
        onSuccess: () =>
          nextStatuses[next].includes(status)
            ? notify.undo(done[next], async () => void (await save.mutateAsync({ id, status })))
            : notify.success(done[next]),
      },
    )
  const archive = async () => {
    const question = {
      title: 'Убрать скидку в архив?',
      message: 'Включить её снова будет нельзя: только сделать копию.',
      confirm: 'Убрать в архив',
    }
    if (await confirm(question)) set('archived')
  }
  return (
    <>
      {may('active') && (
        <ActionButton label="Включить" icon={IconPlayerPlay} loading={save.isPending} onClick={() => set('active')} />
      )}
      {may('paused') && (
        <ActionButton
          label="Выключить"
          variant="default"
          icon={IconPlayerPause}
          loading={save.isPending}
          onClick={() => set('paused')}
        />
      )}
      <ActionMenu label="Другие действия" variant="default">
        <MenuItem label="Копия — новая версия" icon={IconCopy} onClick={() => copy.mutate()} />
        {may('archived') && <MenuItem label="Убрать в архив…" icon={IconArchive} onClick={() => void archive()} />}
        <RemoveItem
          entity={Discount}
          row={discount}
          label="Удалить скидку"
          onRemove={() => remove.mutate(id, { onSuccess: () => void go({ page: 'discounts' }, { replace: true }) })}
        />
      </ActionMenu>
    </>
  )
}
