import { Badge, Checkbox } from '@mantine/core'
import { performerLevels, ServicePerformer } from '@ordinator/model/areas/catalogue/performer'
import { SERVICE, Service } from '@ordinator/model/areas/catalogue/service'
import { formatNumber } from '@ordinator/model/format'
import { Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { EditableList } from '#records/EditableList.tsx'
import { useSave } from '#records/writes.ts'
import classes from './Service.module.css'
import { ServiceFrame, type ServiceRow } from './ServiceFrame.tsx'

/** Врачи услуги: performers, branches, terms. */
export default function ServiceUsersPage() {
  const mayEdit = useCan('update', ServicePerformer)
  return (
    <ServiceFrame page="serviceUsers">
      {({ id, ...service }) => (
        <div className={classes.narrow}>
          {service.serviceCategory === SERVICE && <Whoever service={{ id, ...service }} readOnly={!mayEdit} />}
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
              text:
                service.performedBy === 'nobody'
                  ? 'Нет врачей с этой услугой: назначьте исполнителей, иначе на неё не записать.'
                  : 'Названные врачи заменят это правило: оказывать услугу будут только они.',
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

/** Performers besides the named ones: any doctor, or a speciality of the group. */
function Whoever({ service, readOnly }: { service: ServiceRow; readOnly: boolean }) {
  const save = useSave(Service)
  return (
    <>
      <Checkbox
        label="Может любой врач"
        description="Без этого услугу оказывают названные ниже врачи, а если никто не назван — специальности её группы"
        mb={12}
        checked={service.anyPerformer}
        disabled={readOnly || save.isPending}
        onChange={({ currentTarget: { checked } }) =>
          save.mutate({ id: service.id, anyPerformer: checked, _version: service._version })
        }
      />
      {service.performedBy === 'speciality' && (
        <Muted component="p" mb={12}>
          Сейчас услугу оказывают врачи специальностей, указанных у группы «{service.group?.nameServiceGroup}» или у
          той, в которую она входит.
        </Muted>
      )}
    </>
  )
}
