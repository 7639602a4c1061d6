import { holdContract } from '#testing/contract.ts'

holdContract(3)
