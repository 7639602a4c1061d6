import type { Signer } from '@ordinator/model/areas/consents/consent'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { UserLink } from '#kit/UserLink.tsx'

/** Who has signed for the patient: a way to the card of one who has one. */
export const SignerName = ({ signer: { idCustomer, fio } }: { signer: Signer }) => (
  <UserLink user={{ id: idCustomer, shortFio: fio }} of={Customer.path} />
)
