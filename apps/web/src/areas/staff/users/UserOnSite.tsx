import { Text } from '@mantine/core'
import { StaffPhoto } from '@ordinator/model/areas/staff/photo'
import { User } from '@ordinator/model/areas/staff/user'
import type { Row } from '@ordinator/model/entity'
import { GenericLink } from '#kit/GenericLink.tsx'
import { urlOf } from '#kit/root.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserAvatar } from '#kit/UserAvatar.tsx'
import { Muted } from '#kit/Words.tsx'
import { FaceField } from '#records/FaceField.tsx'
import { useSave } from '#records/writes.ts'

/** Size of the portrait in pixels. */
const FACE = 160

/** The employee's data on the public site. */
export function UserOnSite({ user }: { user: Row<typeof User> }) {
  const photo = user.idSitePhoto === null ? undefined : urlOf(`/files/${user.idSitePhoto}/medium`)
  const save = useSave(User)
  return (
    <HStack gap={24} align="flex-start" wrap pt={16}>
      <FaceField
        entity={User}
        files={StaffPhoto}
        value={user.idSitePhoto}
        onPut={(idSitePhoto) => save.mutateAsync({ id: user.id, idSitePhoto })}
      >
        <UserAvatar user={{ ...user, avatar: photo }} size={FACE} />
      </FaceField>
      <VStack gap={8} maw={480} flex="1 1 240px">
        <Text fw={600}>{user.isOnSite ? 'Показан на сайте клиники' : 'На сайте не показан'}</Text>
        <Muted component="p">
          {user.isOnSite
            ? 'Посетители видят эту фотографию, имя, должность, специальность и «О сотруднике».'
            : 'Чтобы посетители увидели сотрудника, отметьте «Показывать на сайте» в данных.'}
        </Muted>
        <Muted component="p">
          Портрет от 600 точек по стороне: на карточке врача он круглый, на его странице — целиком. Без фотографии на
          сайте стоят инициалы.
        </Muted>
        {user.isOnSite && <GenericLink href={`/site/doctors/${user.id}`}>Открыть страницу на сайте</GenericLink>}
      </VStack>
    </HStack>
  )
}
