/** Metadata, workloads, budgets and leases. In the notation that `shape/parse.ts` reads. */
export const workloadNotation = `
ObjectMeta: annotations:{s} creationTimestamp:t deletionGracePeriodSeconds:i deletionTimestamp:t
  finalizers:[s]+~ generateName generation:i labels:{s} managedFields:[ManagedFieldsEntry] name
  namespace ownerReferences:[OwnerReference]=uid~ resourceVersion selfLink uid
ManagedFieldsEntry: apiVersion fieldsType fieldsV1:j manager operation subresource time:t
OwnerReference!: apiVersion blockOwnerDeletion:b controller:b kind name uid
LabelSelector!: matchExpressions:[LabelSelectorRequirement] matchLabels:{s}
LabelSelectorRequirement: key operator values:[s]
FieldSelectorRequirement: key operator values:[s]
Condition: lastTransitionTime:t message observedGeneration:i reason status type
DeleteOptions: apiVersion dryRun:[s] gracePeriodSeconds:i
  ignoreStoreReadErrorWithClusterBreakingPotential:b kind orphanDependents:b
  preconditions:Preconditions propagationPolicy
Preconditions: resourceVersion uid
ControllerRevision: data:j metadata:ObjectMeta revision:i
DaemonSet: metadata:ObjectMeta spec:DaemonSetSpec status:DaemonSetStatus
DaemonSetSpec: minReadySeconds:i revisionHistoryLimit:i selector:LabelSelector
  template:PodTemplateSpec updateStrategy:DaemonSetUpdateStrategy
DaemonSetUpdateStrategy: rollingUpdate:RollingUpdateDaemonSet type
RollingUpdateDaemonSet: maxSurge:x maxUnavailable:x
DaemonSetStatus: collisionCount:i conditions:[DaemonSetCondition]=type~ currentNumberScheduled:i
  desiredNumberScheduled:i numberAvailable:i numberMisscheduled:i numberReady:i
  numberUnavailable:i observedGeneration:i updatedNumberScheduled:i
DaemonSetCondition: lastTransitionTime:t message reason status type
Deployment: metadata:ObjectMeta spec:DeploymentSpec status:DeploymentStatus
DeploymentSpec: minReadySeconds:i paused:b progressDeadlineSeconds:i replicas:i
  revisionHistoryLimit:i selector:LabelSelector strategy:DeploymentStrategy^
  template:PodTemplateSpec
DeploymentStrategy: rollingUpdate:RollingUpdateDeployment type
RollingUpdateDeployment: maxSurge:x maxUnavailable:x
DeploymentStatus: availableReplicas:i collisionCount:i conditions:[DeploymentCondition]=type~
  observedGeneration:i readyReplicas:i replicas:i terminatingReplicas:i unavailableReplicas:i
  updatedReplicas:i
DeploymentCondition: lastTransitionTime:t lastUpdateTime:t message reason status type
ReplicaSet: metadata:ObjectMeta spec:ReplicaSetSpec status:ReplicaSetStatus
ReplicaSetSpec: minReadySeconds:i replicas:i selector:LabelSelector template:PodTemplateSpec
ReplicaSetStatus: availableReplicas:i conditions:[ReplicaSetCondition]=type~
  fullyLabeledReplicas:i observedGeneration:i readyReplicas:i replicas:i terminatingReplicas:i
ReplicaSetCondition: lastTransitionTime:t message reason status type
StatefulSet: metadata:ObjectMeta spec:StatefulSetSpec status:StatefulSetStatus
StatefulSetSpec: minReadySeconds:i ordinals:StatefulSetOrdinals
  persistentVolumeClaimRetentionPolicy:StatefulSetPersistentVolumeClaimRetentionPolicy
  podManagementPolicy replicas:i revisionHistoryLimit:i selector:LabelSelector serviceName
  template:PodTemplateSpec updateStrategy:StatefulSetUpdateStrategy
  volumeClaimTemplates:[PersistentVolumeClaim]
StatefulSetOrdinals: start:i
StatefulSetPersistentVolumeClaimRetentionPolicy: whenDeleted whenScaled
StatefulSetUpdateStrategy: rollingUpdate:RollingUpdateStatefulSetStrategy type
RollingUpdateStatefulSetStrategy: maxUnavailable:x partition:i
StatefulSetStatus: availableReplicas:i collisionCount:i conditions:[StatefulSetCondition]=type~
  currentReplicas:i currentRevision observedGeneration:i readyReplicas:i replicas:i updateRevision
  updatedReplicas:i
StatefulSetCondition: lastTransitionTime:t message reason status type
CronJob: metadata:ObjectMeta spec:CronJobSpec status:CronJobStatus
CronJobSpec: concurrencyPolicy failedJobsHistoryLimit:i jobTemplate:JobTemplateSpec schedule
  startingDeadlineSeconds:i successfulJobsHistoryLimit:i suspend:b timeZone
JobTemplateSpec: metadata:ObjectMeta spec:JobSpec
JobSpec: activeDeadlineSeconds:i backoffLimit:i backoffLimitPerIndex:i completionMode
  completions:i managedBy manualSelector:b maxFailedIndexes:i parallelism:i
  podFailurePolicy:PodFailurePolicy podReplacementPolicy selector:LabelSelector
  successPolicy:SuccessPolicy suspend:b template:PodTemplateSpec ttlSecondsAfterFinished:i
PodFailurePolicy: rules:[PodFailurePolicyRule]
PodFailurePolicyRule: action onExitCodes:PodFailurePolicyOnExitCodesRequirement
  onPodConditions:[PodFailurePolicyOnPodConditionsPattern]
PodFailurePolicyOnExitCodesRequirement: containerName operator values:[i]+
PodFailurePolicyOnPodConditionsPattern: status type
SuccessPolicy: rules:[SuccessPolicyRule]
SuccessPolicyRule: succeededCount:i succeededIndexes
CronJobStatus: active:[ObjectReference] lastScheduleTime:t lastSuccessfulTime:t
Job: metadata:ObjectMeta spec:JobSpec status:JobStatus
JobStatus: active:i completedIndexes completionTime:t conditions:[JobCondition]~type failed:i
  failedIndexes ready:i startTime:t succeeded:i terminating:i
  uncountedTerminatedPods:UncountedTerminatedPods
JobCondition: lastProbeTime:t lastTransitionTime:t message reason status type
UncountedTerminatedPods: failed:[s]+ succeeded:[s]+
Eviction: deleteOptions:DeleteOptions metadata:ObjectMeta
PodDisruptionBudget: metadata:ObjectMeta spec:PodDisruptionBudgetSpec
  status:PodDisruptionBudgetStatus
PodDisruptionBudgetSpec: maxUnavailable:x minAvailable:x selector:LabelSelector
  unhealthyPodEvictionPolicy
PodDisruptionBudgetStatus: conditions:[Condition]=type~ currentHealthy:i desiredHealthy:i
  disruptedPods:{t} disruptionsAllowed:i expectedPods:i observedGeneration:i
Lease: metadata:ObjectMeta spec:LeaseSpec
LeaseSpec: acquireTime:u holderIdentity leaseDurationSeconds:i leaseTransitions:i preferredHolder
  renewTime:u strategy
Scale: metadata:ObjectMeta spec:ScaleSpec status:ScaleStatus
ScaleSpec: replicas:i
ScaleStatus: replicas:i selector
PriorityClass: description globalDefault:b metadata:ObjectMeta preemptionPolicy value:i
NewEvent: action deprecatedCount:i deprecatedFirstTimestamp:t deprecatedLastTimestamp:t
  deprecatedSource:EventSource eventTime:u metadata:ObjectMeta note reason
  regarding:ObjectReference related:ObjectReference reportingController reportingInstance
  series:NewEventSeries type
NewEventSeries: count:i lastObservedTime:u
`;
