import type { Signer } from '@ordinator/model/areas/consents/consent'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { UserLink } from '#kit/UserLink.tsx'

/** Representative who signed, with a link to the own card. */
export const SignerName = ({ signer: { idCustomer, fio } }: { signer: Signer }) => (
  <UserLink user={{ id: idCustomer, shortFio: fio }} of={Customer.path} />
)
