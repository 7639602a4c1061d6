import { Intake, LeadRequest } from '@ordinator/model/areas/sales/intake'
import { records } from '../../records/define.ts'

export const intakes = records(Intake)
export const leadRequests = records(LeadRequest)
