import { Offer, OfferService, OfferServiceStatus, OfferStatus } from '@ordinator/model/areas/sales/offer'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { searchServices } from '#areas/catalogue/index.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
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
  /** Opened by a click or its key rather than by walking over the tabs: the field of services gets the focus. */
  focuses: boolean
}

/** Offers of a deal. */
export function Offers({ idLead, mayEdit, focuses }: Props) {
  const first = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<number>()
  const list = useList(Offer, { filter: { idLead }, sort: '-id', limit: 100 }, { forbidden: 'silent' })
  const statuses = useList(OfferStatus, { limit: 10 }, { forbidden: 'silent' })
  const lineStatuses = useList(OfferServiceStatus, { limit: 10 }, { forbidden: 'silent' })
  const [made, setMade] = useState<number>()
  /** Until the list shows the new one: what is typed here meanwhile would be lost. */
  const [making, setMaking] = useState(false)
  const save = useSave(Offer)
  const addLine = useSave(OfferService)
  const isEmpty = list.data?.items.length === 0
  useEffect(() => {
    if (focuses && isEmpty) first.current?.querySelector('input')?.focus()
  }, [focuses, isEmpty])
  useEffect(() => {
    if (!isEmpty) setMaking(false)
  }, [isEmpty])
  if (list.isPending) return <LinesSkeleton lines={4} />
  if (list.isError)
    return <ErrorState title="Предложения не загрузились" error={list.error} onRetry={() => void list.refetch()} />
  const offers = list.data.items
  const create = async (idService?: number) => {
    setMaking(isEmpty)
    const name = `Предложение ${offers.length + 1}`
    const { id } = await save.mutateAsync({ idLead, name }).catch((error) => {
      setMaking(false)
      throw error
    })
    setMade(id)
    setOpened(id)
    if (idService !== undefined) await addLine.mutateAsync({ idOffer: id, idService })
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
        text="Соберите услуги и товары с ценами и скидками, распечатайте их для клиента. С первой услугой предложение заведётся само."
        action={
          mayEdit && (
            <div className={classes.first} ref={first}>
              <AjaxSelect
                aria-label="Добавить услугу"
                placeholder="Услуга: название или код"
                load={searchServices}
                disabled={making}
                value={null}
                onChange={(option) => option && void create(option.value).catch(() => undefined)}
              />
              {button}
            </div>
          )
        }
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
          fresh={offer.id === made}
          onToggle={() => setOpened(offer.id === shown ? 0 : offer.id)}
          onCopied={setOpened}
        />
      ))}
    </div>
  )
}
