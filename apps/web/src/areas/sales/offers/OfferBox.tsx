import { ActionIcon, Box, Text, Title } from '@mantine/core'
import { can } from '@ordinator/model/access'
import {
  ACCEPTED,
  IN_PROCESS,
  Offer,
  OfferComment,
  OfferService,
  type OfferServiceStatus,
  type OfferStatus,
} from '@ordinator/model/areas/sales/offer'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { IconChecks, IconChevronDown, IconCopy, IconPrinter, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { searchServices } from '#areas/catalogue/index.ts'
import { QuoteNote } from '#areas/discounts/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { useMentionable } from '#areas/staff/index.ts'
import { api, apiUrl } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { saveFile } from '#base/saveFile.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { formatDate } from '#kit/clock.ts'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { EditableText } from '#kit/EditableText.tsx'
import { notify } from '#kit/notify.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { CommentThread } from '#records/comments/CommentThread.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'
import { useBatch, useRemove, useSave } from '#records/writes.ts'
import { OfferLine } from './OfferLine.tsx'
import classes from './Offers.module.css'

interface Props {
  offer: Row<typeof Offer>
  status: Row<typeof OfferStatus> | undefined
  lineStatuses: readonly Row<typeof OfferServiceStatus>[]
  mayEdit: boolean
  opened: boolean
  /** Just created here: the field of services gets the focus. */
  fresh: boolean
  onToggle: () => void
  /** Called with the id of the copy. */
  onCopied: (id: number) => void
}

/** An offer: status and sums; opened, its services and comments. */
export function OfferBox({ offer, status, lineStatuses, mayEdit, opened, fresh, onToggle, onCopied }: Props) {
  const body = useId()
  const cache = useQueryClient()
  const [printing, setPrinting] = useState(false)
  const save = useSave(Offer)
  const remove = useRemove(Offer, { message: `Предложение «${offer.name}» удалено` })
  const print = async () => {
    setPrinting(true)
    const url = apiUrl('GET /sales-management/offers/:id/pdf', { params: { id: offer.id } })
    await saveFile(url, `${offer.name}.pdf`, 'Предложение не распечатано')
    setPrinting(false)
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
    <Block component="section" framed aria-label={`Предложение «${offer.name}»`}>
      <HStack component="header" wrap p={8}>
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
        <HStack component="span" align="baseline" fw={500} miw={0} flex="1 1 180px">
          <EditableText
            value={offer.name}
            label="Название предложения"
            maxLength={255}
            disabled={!mayEdit}
            onSave={(name) => save.mutate({ id: offer.id, name })}
          />
          <Fine flex="none">{formatDate(offer.dateCreate)}</Fine>
        </HStack>
        {status && (
          <span className={classes.status} style={{ '--status': status.color } as React.CSSProperties}>
            {status.name}
          </span>
        )}
        <Text span inherit fw={600} className="tabular nowrap">
          {formatMoney(offer.total)}
        </Text>
        <PrintMenu entity="sales-management/offers" id={offer.id} variant="subtle" label="Печать по шаблону" />
        <ActionMenu label={`Действия с предложением «${offer.name}»`} width={220}>
          <MenuItem label="Скачать PDF" icon={IconPrinter} disabled={printing} onClick={() => void print()} />
          {mayEdit && (
            <>
              <MenuItem label="Сделать копию" icon={IconCopy} onClick={() => void copy()} />
              <MenuItem label="Удалить" danger icon={IconTrash} onClick={() => remove.mutate(offer.id)} />
            </>
          )}
        </ActionMenu>
      </HStack>
      <div id={body}>
        {opened && (
          <OpenOffer
            offer={offer}
            lineStatuses={lineStatuses}
            mayEdit={mayEdit}
            fresh={fresh}
            printing={printing}
            onPrint={print}
          />
        )}
      </div>
    </Block>
  )
}

interface OpenProps extends Pick<Props, 'offer' | 'lineStatuses' | 'mayEdit' | 'fresh'> {
  printing: boolean
  onPrint: () => Promise<void>
}

const MAX_LINES = 200

function OpenOffer({ offer, lineStatuses, mayEdit, fresh, printing, onPrint }: OpenProps) {
  const adder = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (fresh) adder.current?.querySelector('input')?.focus()
  }, [fresh])
  const people = useMentionable()
  const sees = can(useActor(), 'view', Appointment)
  const list = useList(
    OfferService,
    {
      filter: { idOffer: offer.id },
      expand: ['service', 'reason', ...(sees ? (['couponService.coupon.appointment'] as const) : [])],
      sort: 'order',
      limit: MAX_LINES,
    },
    { forbidden: 'silent' },
  )
  const add = useSave(OfferService)
  const discussion = useMemo(
    () => ({ entity: OfferComment, subject: { idOffer: offer.id }, key: `offer:${offer.id}`, people }),
    [offer.id, people],
  )
  const lines = list.data?.items ?? []
  const save = useSave(Offer)
  const [valid, setValid] = useState<string | null>()
  const batch = useBatch(OfferService)
  const open = lines.filter(({ idStatus }) => idStatus === IN_PROCESS)
  const acceptAll = () => {
    const setStatus = (idStatus: number) => batch.mutateAsync({ update: open.map(({ id }) => ({ id, idStatus })) })
    void setStatus(ACCEPTED).then(
      () =>
        notify.undo(`Принято услуг: ${open.length}`, () =>
          setStatus(IN_PROCESS).then(
            () => undefined,
            () => undefined,
          ),
        ),
      () => undefined,
    )
  }
  return (
    <Block rule="top" p={12}>
      {list.isSuccess && lines.length === 0 && (
        <Text mb={8} c="dimmed">
          Услуг пока нет
        </Text>
      )}
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
      <Box component="ul" mb={8}>
        {lines.map((line) => (
          <OfferLine key={line.id} line={line} statuses={lineStatuses} mayEdit={mayEdit} />
        ))}
      </Box>
      {mayEdit && (
        <div ref={adder}>
          <AjaxSelect
            aria-label="Добавить услугу"
            placeholder="Добавить услугу: название, код или артикул"
            load={searchServices}
            value={null}
            onChange={(option) => option && add.mutate({ idOffer: offer.id, idService: option.value })}
          />
        </div>
      )}
      <HStack gap={12} align="end" justify="space-between" wrap mt={12}>
        <HStack gap={8} wrap align="end">
          {open.length > 0 && mayEdit && (
            <ActionButton
              label={`Принять всё: ${open.length}`}
              size="compact-md"
              icon={IconChecks}
              loading={batch.isPending}
              onClick={acceptAll}
            />
          )}
          <ActionButton
            label="PDF"
            size="compact-md"
            variant="default"
            icon={IconPrinter}
            loading={printing}
            onClick={() => void onPrint()}
          />
          <DateField
            size="xs"
            w={150}
            label="Действует до"
            value={valid ?? offer.dateValid}
            readOnly={!mayEdit}
            onChange={setValid}
            onBlur={() => {
              if (valid === undefined || valid === offer.dateValid || (valid !== null && !isDay(valid))) return
              save.mutate({ id: offer.id, dateValid: valid })
            }}
          />
        </HStack>
        <dl className={`${classes.sumList} tabular`}>
          <dt>Принято</dt>
          <dd>{formatMoney(offer.totalAccepted)}</dd>
          <dt>Итого</dt>
          <Text component="dd" size="lg" fw={600}>
            {formatMoney(offer.total)}
          </Text>
        </dl>
      </HStack>
      {lines.length > 0 && (
        <QuoteNote
          live={[Offer.path, OfferService.path]}
          id={offer.id}
          read={(signal) =>
            api(
              'GET /sales-management/offers/:id/estimate',
              { params: { id: offer.id } },
              { signal, forbidden: 'silent' },
            )
          }
          onSet={mayEdit ? (update) => batch.mutateAsync({ update: [...update] }).catch(() => undefined) : undefined}
        />
      )}
      <Title order={3} mt={20} mb={8} fw={500}>
        Комментарии к предложению
      </Title>
      <CommentThread discussion={discussion} />
    </Block>
  )
}
