import { Offer, OfferServiceStatus, OfferStatus } from '@ordinator/model/areas/sales/offer'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { useList } from '#records/reads.ts'
import { useSave } from '#records/writes.ts'
import { OfferBox } from './OfferBox.tsx'
import classes from './Offers.module.css'

interface Props {
  idLead: number
  mayEdit: boolean
}

/** Offers of a deal. */
export function Offers({ idLead, mayEdit }: Props) {
  const [opened, setOpened] = useState<number>()
  const list = useList(Offer, { filter: { idLead }, sort: '-id', limit: 100 }, { forbidden: 'silent' })
  const statuses = useList(OfferStatus, { limit: 10 }, { forbidden: 'silent' })
  const lineStatuses = useList(OfferServiceStatus, { limit: 10 }, { forbidden: 'silent' })
  const save = useSave(Offer)
  if (list.isPending) return <LinesSkeleton lines={4} />
  if (list.isError)
    return <ErrorState title="Предложения не загрузились" error={list.error} onRetry={() => void list.refetch()} />
  const offers = list.data.items
  const create = async () => {
    const { id } = await save.mutateAsync({ idLead, name: `Предложение ${offers.length + 1}` })
    setOpened(id)
  }
  const button = mayEdit && (
    <ActionButton
      label="Новое предложение"
      size="compact-md"
      variant="default"
      icon={IconPlus}
      loading={save.isPending}
      onClick={() => void create().catch(() => undefined)}
    />
  )
  if (offers.length === 0)
    return (
      <EmptyState
        title="Предложений нет"
        text="Соберите услуги и товары с ценами и скидками, распечатайте их для клиента."
        action={button || undefined}
      />
    )
  // The latest is open until another is chosen.
  const shown = opened ?? offers[0]?.id
  return (
    <div className={classes.offers}>
      {button}
      {offers.map((offer) => (
        <OfferBox
          key={offer.id}
          offer={offer}
          status={statuses.data?.items.find(({ id }) => id === offer.idStatus)}
          lineStatuses={lineStatuses.data?.items ?? []}
          mayEdit={mayEdit}
          opened={offer.id === shown}
          onToggle={() => setOpened(offer.id === shown ? 0 : offer.id)}
          onCopied={setOpened}
        />
      ))}
    </div>
  )
}
