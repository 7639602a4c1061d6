import { Badge } from '@mantine/core'
import { performerLevels, ServicePerformer } from '@ordinator/model/areas/catalogue/performer'
import { formatNumber } from '@ordinator/model/format'
import { useCan } from '../../../records/Can.tsx'
import { EditableList } from '../../../records/EditableList.tsx'
import classes from './Service.module.css'
import { ServiceFrame } from './ServiceFrame.tsx'

/** Врачи услуги: who performs it, where, and on what terms. */
export default function ServiceUsersPage() {
  const mayEdit = useCan('update', ServicePerformer)
  return (
    <ServiceFrame page="serviceUsers">
      {({ id }) => (
        <div className={classes.narrow}>
          <EditableList
            entity={ServicePerformer}
            of={{ idService: id }}
            expand={['user', 'filial']}
            readOnly={!mayEdit}
            label="Врачи услуги"
            fields={['idUser', 'idFilial', 'level', 'commission', 'note', 'allowed']}
            add="Добавить врача"
            empty={{
              title: 'Врачей пока нет',
              text: 'Пока никто не указан, услугу не предложат в расписании ни у кого.',
            }}
            removed={(name) => `${name} больше не оказывает услугу`}
            nameOf={({ user }) => user?.fio ?? '—'}
            about={({ filial, level, commission, note, allowed }) => (
              <>
                {!allowed && (
                  <Badge color="red" variant="light">
                    Не допущен
                  </Badge>
                )}
                <span>{filial?.nameFilial ?? 'Все филиалы'}</span>
                <span>{performerLevels[level]}</span>
                {typeof commission === 'number' && <span>доля {formatNumber(commission)} %</span>}
                {note && <span>{note}</span>}
              </>
            )}
          />
        </div>
      )}
    </ServiceFrame>
  )
}
