import { Filial, FilialFile, FilialHoliday, FilialPicture, FilialRoom } from '@ordinator/model/areas/filials/filial'
import { FilialHandover } from '@ordinator/model/areas/handover/handover'
import { CashDesk, kktModes } from '@ordinator/model/areas/money/desk'
import { Equipment } from '@ordinator/model/areas/visits/equipment'
import { Desk } from '@ordinator/model/areas/visits/visit'
import { Warehouse, warehouseKinds } from '@ordinator/model/areas/warehouse/warehouse'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconCalendarPlus, IconPackageExport, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { PictureGallery } from '#areas/files/index.ts'
import { HandoverDialog } from '#areas/handover/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { useGo } from '#base/address.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatDate } from '#kit/clock.ts'
import { Block, Dot, HStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { PartList } from '#records/registry/PartList.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import { RegistryRecordPage } from '#records/registry/RegistryRecordPage.tsx'
import { useRemove } from '#records/writes.ts'
import { FilialForm } from './FilialForm.tsx'
import { OpenNow } from './OpenNow.tsx'
import { SpecialDaysDialog } from './SpecialDaysDialog.tsx'

const tabs: RecordParts<typeof Filial>['tabs'] = {
  rooms: { label: 'Кабинеты', panel: ({ id }) => <Rooms idFilial={id} /> },
  equipment: { label: 'Оборудование', panel: ({ id }) => <EquipmentList idFilial={id} /> },
  holidays: { label: 'Особые дни', panel: ({ id }) => <Holidays idFilial={id} /> },
  desks: { label: 'Регистратура', panel: ({ id }) => <Desks idFilial={id} /> },
  cash: { label: 'Кассы', panel: ({ id }) => <CashDesks idFilial={id} /> },
  warehouses: { label: 'Склады', panel: ({ id }) => <Warehouses idFilial={id} /> },
  gallery: {
    label: 'Фотографии',
    panel: ({ id }) => (
      <PictureGallery
        links={FilialPicture}
        files={FilialFile}
        by="idFileRegister"
        of={{ idFilial: id }}
        whereToLook="Откройте фотографии филиала, чтобы повторить."
      />
    ),
  },
}

/** Филиал: all data of a branch. */
export default function FilialPage() {
  return (
    <RegistryRecordPage
      entity={Filial}
      list={pageByKey('filials')}
      start={({ labelColor }) => (
        <HStack h={32}>
          <Dot color={labelColor} size={14} />
        </HStack>
      )}
      help={({ filialAddressFact, filialAddress, cityName }) => filialAddressFact ?? filialAddress ?? cityName ?? ''}
      actions={(filial) => <Actions filial={filial} />}
      form={(filial) => <FilialForm filial={filial} />}
      tabs={tabs}
    />
  )
}

function Actions({ filial }: { filial: Row<typeof Filial> }) {
  const go = useGo()
  const [handing, setHanding] = useState(false)
  const mayHandOver = useCan('view', FilialHandover)
  const remove = useRemove(Filial, { message: `Филиал «${filial.nameFilial}» удалён` })
  return (
    <>
      {filial.active && <OpenNow filial={filial} />}
      <PrintMenu entity="filials" id={filial.id} />
      <ActionMenu label="Другие действия" variant="default">
        {mayHandOver && (
          <MenuItem label="Передать данные филиала…" icon={IconPackageExport} onClick={() => setHanding(true)} />
        )}
        <MenuItem
          label="Удалить филиал"
          danger
          icon={IconTrash}
          onClick={() => remove.mutate(filial.id, { onSuccess: () => void go({ page: 'filials' }, { replace: true }) })}
        />
      </ActionMenu>
      {handing && <HandoverDialog filial={filial} onClose={() => setHanding(false)} />}
    </>
  )
}

const Rooms = ({ idFilial }: { idFilial: number }) => (
  <Block maw={760}>
    <PartList
      entity={FilialRoom}
      of={{ idFilial }}
      title="Кабинеты"
      fields={['name', 'capacity', 'cleaning', 'equipment']}
      face={({ name, capacity, cleaning, equipment }) => (
        <>
          <strong>{name}</strong>
          {capacity > 1 && <Muted> · {counted(capacity, ['место', 'места', 'мест'])}</Muted>}
          {cleaning > 0 && <Muted> · уборка {cleaning} мин</Muted>}
          {equipment && <Fine component="div">{equipment}</Fine>}
        </>
      )}
    />
  </Block>
)

const EquipmentList = ({ idFilial }: { idFilial: number }) => (
  <Block maw={760}>
    <PartList
      entity={Equipment}
      of={{ idFilial }}
      title="Оборудование"
      fields={['idKind', 'capacity', 'cleaning', 'note']}
      expand={['kind']}
      face={({ kind, capacity, cleaning, note }) => (
        <>
          <strong>{kind?.name}</strong>
          <Muted> · {capacity > 0 ? `${capacity} шт.` : 'нет исправного'}</Muted>
          {cleaning > 0 && <Muted> · подготовка {cleaning} мин</Muted>}
          {note && <Fine component="div">{note}</Fine>}
        </>
      )}
    />
  </Block>
)

function Holidays({ idFilial }: { idFilial: number }) {
  const [asking, setAsking] = useState(false)
  const mayEdit = useCan('create', FilialHoliday)
  return (
    <Block maw={760}>
      {mayEdit && (
        <HStack mb={12}>
          <ActionButton
            label="Несколько дней или праздники…"
            variant="default"
            icon={IconCalendarPlus}
            onClick={() => setAsking(true)}
          />
        </HStack>
      )}
      <PartList
        entity={FilialHoliday}
        of={{ idFilial }}
        title="Особые дни"
        fields={['day', 'reason', 'start', 'end']}
        face={({ day, reason, start, end }) => (
          <>
            <strong className="tabular">{formatDate(day)}</strong> {reason}
            <Muted className="tabular"> · {start && end ? `${start}–${end}` : 'закрыт'}</Muted>
          </>
        )}
      />
      {asking && <SpecialDaysDialog idFilial={idFilial} onClose={() => setAsking(false)} />}
    </Block>
  )
}

const Desks = ({ idFilial }: { idFilial: number }) => (
  <Block maw={760}>
    <PartList
      entity={Desk}
      of={{ idFilial }}
      title="Регистратура"
      fields={['idUser']}
      expand={['user']}
      face={({ user }) => <strong>{user && <UserLink user={user}>{user.fio}</UserLink>}</strong>}
    />
  </Block>
)

const CashDesks = ({ idFilial }: { idFilial: number }) => (
  <Block maw={760}>
    <PartList
      entity={CashDesk}
      of={{ idFilial }}
      title="Кассы"
      fields={[
        'name',
        'idOrganization',
        'refundLimit',
        'kktMode',
        'kktModel',
        'kktSerial',
        'terminalMode',
        'isOnline',
        'active',
      ]}
      expand={['organization']}
      face={({ name, organization, kktMode, active }) => (
        <>
          <strong>{name}</strong>
          <Muted>
            {organization && ` · ${organization.shortName}`}
            {!active && ' · не работает'}
          </Muted>
          <Fine component="div">ККТ: {kktModes[kktMode].toLowerCase()}</Fine>
        </>
      )}
    />
  </Block>
)

const Warehouses = ({ idFilial }: { idFilial: number }) => (
  <Block maw={760}>
    <PartList
      entity={Warehouse}
      of={{ idFilial }}
      title="Склады"
      fields={['name', 'kind', 'idUser', 'mdlpPlace', 'active']}
      expand={['user']}
      face={({ name, kind, user, active }) => (
        <>
          <strong>{name}</strong>
          <Muted>
            {` · ${warehouseKinds[kind].toLowerCase()}`}
            {!active && ' · не действует'}
          </Muted>
          {user && (
            <Fine component="div">
              Отвечает <UserLink user={user}>{user.fio}</UserLink>
            </Fine>
          )}
        </>
      )}
    />
  </Block>
)
