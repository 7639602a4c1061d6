import { ActionIcon, Button, Menu } from '@mantine/core'
import {
  Offer,
  OfferComment,
  OfferService,
  type OfferServiceStatus,
  type OfferStatus,
} from '@ordinator/model/areas/sales/offer'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { IconChevronDown, IconCopy, IconDots, IconPrinter, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import { api, apiUrl } from '../../../base/api.ts'
import { errorMessage } from '../../../base/apiError.ts'
import { download } from '../../../base/http.ts'
import { AjaxSelect } from '../../../kit/AjaxSelect.tsx'
import { formatDate } from '../../../kit/clock.ts'
import { EditableText } from '../../../kit/EditableText.tsx'
import { notify } from '../../../kit/notify.tsx'
import { CommentThread } from '../../../records/comments/CommentThread.tsx'
import { invalidateRecords } from '../../../records/keys.ts'
import { useList } from '../../../records/reads.ts'
import { useRemove, useSave } from '../../../records/writes.ts'
import { searchServices } from '../../catalogue/index.ts'
import { useMentionable } from '../../staff/index.ts'
import { type Line, OfferLine } from './OfferLine.tsx'
import classes from './Offers.module.css'

interface Props {
  offer: Row<typeof Offer>
  status: Row<typeof OfferStatus> | undefined
  lineStatuses: readonly Row<typeof OfferServiceStatus>[]
  mayEdit: boolean
  opened: boolean
  onToggle: () => void
  /** A copy was made. */
  onCopied: (id: number) => void
}

/** One offer: its state and sums, and when it is open its services and what is said of it. */
export function OfferBox({ offer, status, lineStatuses, mayEdit, opened, onToggle, onCopied }: Props) {
  const body = useId()
  const cache = useQueryClient()
  const [printing, setPrinting] = useState(false)
  const save = useSave(Offer)
  const remove = useRemove(Offer, { message: `Предложение «${offer.name}» удалено` })
  const print = async () => {
    setPrinting(true)
    try {
      await download(apiUrl('GET /sales-management/offers/:id/pdf', { params: { id: offer.id } }), `${offer.name}.pdf`)
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Предложение не распечатано' })
    } finally {
      setPrinting(false)
    }
  }
  const copy = async () => {
    try {
      const made = await api(
        'POST /sales-management/offers/:id/copy',
        { params: { id: offer.id }, body: {} },
        { forbidden: 'toast' },
      )
      await invalidateRecords(cache, Offer.path)
      onCopied(made.offer.id)
      if (made.skipped) notify.info(`Не скопировано строк: ${made.skipped}. Этих услуг больше нет.`)
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Предложение не скопировано' })
    }
  }
  return (
    <section className={classes.offer} aria-label={`Предложение «${offer.name}»`}>
      <header className={classes.head}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-expanded={opened}
          aria-controls={body}
          aria-label={opened ? `Свернуть: ${offer.name}` : `Развернуть: ${offer.name}`}
          onClick={onToggle}
        >
          <IconChevronDown size={18} style={{ transform: opened ? undefined : 'rotate(-90deg)' }} />
        </ActionIcon>
        <span className={classes.name}>
          <EditableText
            value={offer.name}
            label="Название предложения"
            maxLength={255}
            disabled={!mayEdit}
            onSave={(name) => save.mutate({ id: offer.id, name })}
          />
          <span className={`${classes.date} tabular`}>{formatDate(offer.dateCreate)}</span>
        </span>
        {status && (
          <span className={classes.status} style={{ '--status': status.color } as React.CSSProperties}>
            {status.name}
          </span>
        )}
        <span className={`${classes.total} tabular`}>{formatMoney(offer.total)}</span>
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Действия с предложением «${offer.name}»`}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPrinter size={16} />} disabled={printing} onClick={() => void print()}>
              Скачать PDF
            </Menu.Item>
            {mayEdit && (
              <>
                <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => void copy()}>
                  Сделать копию
                </Menu.Item>
                <Menu.Item
                  color="var(--mantine-color-error)"
                  leftSection={<IconTrash size={16} />}
                  onClick={() => remove.mutate(offer.id)}
                >
                  Удалить
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      </header>
      <div id={body}>
        {opened && (
          <OpenOffer offer={offer} lineStatuses={lineStatuses} mayEdit={mayEdit} printing={printing} onPrint={print} />
        )}
      </div>
    </section>
  )
}

interface OpenProps extends Pick<Props, 'offer' | 'lineStatuses' | 'mayEdit'> {
  printing: boolean
  onPrint: () => Promise<void>
}

const MAX_LINES = 200

function OpenOffer({ offer, lineStatuses, mayEdit, printing, onPrint }: OpenProps) {
  const people = useMentionable()
  const list = useList(
    OfferService,
    { filter: { idOffer: offer.id }, expand: ['service', 'reason'], sort: 'order', limit: MAX_LINES },
    { forbidden: 'silent' },
  )
  const add = useSave(OfferService)
  const discussion = useMemo(
    () => ({ entity: OfferComment, subject: { idOffer: offer.id }, key: `offer:${offer.id}`, people }),
    [offer.id, people],
  )
  const lines = (list.data?.items ?? []) as unknown as Line[]
  return (
    <div className={classes.body}>
      {list.isSuccess && lines.length === 0 && <p className={classes.nothing}>Услуг пока нет</p>}
      {lines.length > 0 && (
        <div className={classes.columns} aria-hidden>
          <span>Услуга</span>
          <span>Кол-во</span>
          <span>Цена</span>
          <span>Скидка</span>
          <span>Итого</span>
          <span>Статус</span>
        </div>
      )}
      <ul className={classes.lines}>
        {lines.map((line) => (
          <OfferLine key={line.id} line={line} statuses={lineStatuses} mayEdit={mayEdit} />
        ))}
      </ul>
      {mayEdit && (
        <AjaxSelect
          aria-label="Добавить услугу"
          placeholder="Добавить услугу: название, код или артикул"
          load={searchServices}
          value={null}
          disabled={add.isPending}
          onChange={(option) => option && add.mutate({ idOffer: offer.id, idService: option.value })}
        />
      )}
      <div className={classes.sums}>
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconPrinter size={16} />}
          loading={printing}
          onClick={() => void onPrint()}
        >
          PDF
        </Button>
        <dl className={`${classes.sumList} tabular`}>
          <dt>Принято</dt>
          <dd>{formatMoney(offer.totalAccepted)}</dd>
          <dt>Итого</dt>
          <dd className={classes.grand}>{formatMoney(offer.total)}</dd>
        </dl>
      </div>
      <h3 className={classes.said}>Комментарии к предложению</h3>
      <CommentThread discussion={discussion} />
    </div>
  )
}
