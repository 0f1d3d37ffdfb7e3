/**
 * What `kubectl explain` says, one line each, in our own words: `Type text` for a type and
 * `Type.field text` for a field of it; `.field` for a field of that name in any type.
 */
const notation = `
.apiVersion Group and version of the API that the object is written in.
.kind What the object is.
.metadata Name, labels and what else every object has.
.spec What is wanted.
.status What is the case, as last observed.
.conditions What is true of the object at the moment, one entry per aspect.
.name Name, unique among its neighbours.
.namespace Namespace it belongs to.
.labels Words to select objects by.
.annotations Notes for tools, not for selecting.
.replicas How many pods there shall be.
.selector Which pods belong to it, by their labels.
.template What the pods shall look like.
.type Which aspect or kind this is.
.reason Why, in one CamelCase word.
.message Why, in a sentence for people.
.lastTransitionTime When the status last changed.
.observedGeneration The generation that this status is about.
.minReadySeconds How long a pod must be ready before it counts as available.
.image Container image to run.
.resources What is requested and what the limits are.
.phase Where in its life the object is, in one word.
Quantity A number with an optional unit: 500m, 2, 1.5Gi.
IntOrString A whole number, or a text such as a percentage or the name of a port.
ObjectMeta Name, labels and what else every object has.
ObjectMeta.creationTimestamp When the object was created. Set by the server.
ObjectMeta.deletionTimestamp When the object shall be gone; set once somebody has asked for deletion.
ObjectMeta.deletionGracePeriodSeconds How long it may take to stop after deletion was asked for.
ObjectMeta.finalizers Who must clean up before the object may go.
ObjectMeta.generateName Beginning of a name that the server completes.
ObjectMeta.generation Rises with every change of what is wanted.
ObjectMeta.managedFields Who set which fields, for server-side apply.
ObjectMeta.ownerReferences Objects that this one exists for; it goes when all of them are gone.
ObjectMeta.resourceVersion Changes with every change; send it back to make sure nobody was faster.
ObjectMeta.uid Unique in time and space, even if the name is used again.
LabelSelector Labels that objects must or must not have; all parts must hold.
LabelSelector.matchLabels Labels with the values they must have.
LabelSelector.matchExpressions Conditions on labels: In, NotIn, Exists, DoesNotExist.
Condition One aspect of an object and whether it holds.
Pod One or more containers that run together on one node.
PodTemplateSpec What pods made from this template look like.
PodSpec What a pod shall run, and where it may.
PodSpec.activeDeadlineSeconds How long the pod may run before it is stopped.
PodSpec.affinity Rules about nodes and other pods that attract or repel this one.
PodSpec.automountServiceAccountToken Whether containers find a token of the service account.
PodSpec.containers The containers to run, at least one.
PodSpec.dnsPolicy Which name servers the pod asks.
PodSpec.hostNetwork Whether the pod uses the network of its node.
PodSpec.imagePullSecrets Secrets with the credentials of image registries.
PodSpec.initContainers Containers that run one after another before the others start.
PodSpec.nodeName Node that the pod is bound to; the scheduler fills it in.
PodSpec.nodeSelector Labels that the node must have.
PodSpec.overhead Resources that the runtime itself needs for the pod.
PodSpec.preemptionPolicy Whether pods of lower priority may be made to leave for it.
PodSpec.priority The number behind the priority class; higher goes first.
PodSpec.priorityClassName Priority class of the pod.
PodSpec.readinessGates Further conditions that must hold before the pod is ready.
PodSpec.resourceClaims Devices that the pod claims.
PodSpec.restartPolicy When containers are started again: Always, OnFailure or Never.
PodSpec.runtimeClassName Runtime that shall run the pod.
PodSpec.schedulerName Scheduler that shall place the pod.
PodSpec.schedulingGates The pod is not scheduled until all of these are removed.
PodSpec.securityContext Users, groups and rights for all containers.
PodSpec.serviceAccountName Service account that the pod acts as.
PodSpec.terminationGracePeriodSeconds How long containers may take to stop before they are killed.
PodSpec.tolerations Taints of nodes that the pod puts up with.
PodSpec.topologySpreadConstraints How evenly such pods shall spread over zones, nodes and the like.
PodSpec.volumes Volumes that containers can mount.
PodStatus.containerStatuses What each container is doing.
PodStatus.hostIP Address of the node.
PodStatus.nominatedNodeName Node on which other pods are being moved out of the way.
PodStatus.podIP Address of the pod.
PodStatus.qosClass Guaranteed, Burstable or BestEffort, from requests and limits.
PodStatus.startTime When the node accepted the pod.
Container One container of a pod.
Container.args Arguments of the command.
Container.command Program to run in place of the image's own.
Container.env Environment variables.
Container.envFrom Sources of many environment variables.
Container.imagePullPolicy When the image is fetched: Always, IfNotPresent or Never.
Container.livenessProbe The container is started again when this fails.
Container.ports Ports that the container listens on.
Container.readinessProbe The pod gets traffic only while this succeeds.
Container.restartPolicy Always makes an init container a sidecar that runs along with the others.
Container.startupProbe Other probes wait until this succeeds.
Container.volumeMounts Where volumes are mounted.
ResourceRequirements What is asked for and what may not be exceeded.
ResourceRequirements.limits The most that may be used.
ResourceRequirements.requests What the scheduler sets aside.
Affinity Rules about nodes and other pods that attract or repel a pod.
Affinity.nodeAffinity Which nodes the pod must or should run on.
Affinity.podAffinity Which pods it must or should be near.
Affinity.podAntiAffinity Which pods it must or should be away from.
Toleration A taint that a pod puts up with.
Toleration.effect Effect of the taint; empty means every effect.
Toleration.key Key of the taint; empty with operator Exists means every taint.
Toleration.operator Exists, or Equal to compare the value.
Toleration.tolerationSeconds How long a NoExecute taint is put up with.
Toleration.value Value of the taint.
TopologySpreadConstraint How evenly pods shall spread over the domains of one label.
TopologySpreadConstraint.maxSkew By how many pods two domains may differ.
TopologySpreadConstraint.minDomains Fewer eligible domains than this count as one that is empty.
TopologySpreadConstraint.topologyKey Label of the nodes whose values are the domains.
TopologySpreadConstraint.whenUnsatisfiable DoNotSchedule, or ScheduleAnyway to only prefer.
Node A machine that runs pods.
NodeSpec.podCIDR Addresses that the node gives to its pods.
NodeSpec.providerID What the cloud calls the machine.
NodeSpec.taints What keeps pods away that do not tolerate it.
NodeSpec.unschedulable Whether new pods are kept away.
NodeStatus.addresses Addresses and names of the node.
NodeStatus.allocatable What pods may use.
NodeStatus.capacity All that the machine has.
NodeStatus.nodeInfo Versions and identifiers of the machine's software.
Taint Keeps pods away from a node unless they tolerate it.
Taint.effect NoSchedule, PreferNoSchedule or NoExecute.
Taint.key Key of the taint.
Taint.timeAdded When a NoExecute taint was added.
Taint.value Value of the taint.
Namespace A room for names.
ConfigMap Configuration for others to read.
ConfigMap.data Entries in text.
ConfigMap.binaryData Entries in bytes.
Secret Confidential data.
Secret.data Entries in base64.
Secret.stringData Entries in text; only written, never read back.
Service A stable address for a changing set of pods.
ServiceSpec.clusterIP Address inside the cluster; None for no address.
ServiceSpec.ports Ports of the service.
ServiceSpec.type ClusterIP, NodePort, LoadBalancer or ExternalName.
ServiceAccount Somebody that pods can act as.
Event Something that happened to an object.
PersistentVolume A piece of storage.
PersistentVolumeClaim A request for storage.
PersistentVolumeClaimSpec.storageClassName Class of storage that is asked for.
PersistentVolumeClaimSpec.volumeName Volume that the claim is bound to.
StorageClass A way to make volumes.
StorageClass.volumeBindingMode Immediate, or WaitForFirstConsumer to wait for a pod.
Deployment Keeps a number of like pods running and rolls out changes of their template.
DeploymentSpec What a deployment shall keep running.
DeploymentSpec.paused Whether changes of the template wait.
DeploymentSpec.progressDeadlineSeconds How long a rollout may stand still before it counts as failed.
DeploymentSpec.revisionHistoryLimit How many old replica sets are kept to roll back to.
DeploymentSpec.strategy How pods of the old template are replaced.
ReplicaSet Keeps a number of like pods running.
DaemonSet Runs one pod on every node that fits.
DaemonSetSpec.updateStrategy How pods of the old template are replaced.
StatefulSet Keeps pods running that have lasting names and storage.
StatefulSetSpec.serviceName Service that gives the pods their names.
StatefulSetSpec.volumeClaimTemplates Claims that each pod gets for itself.
ControllerRevision A template as it was once.
Job Runs pods until enough of them have succeeded.
JobSpec.backoffLimit How many failures are put up with.
JobSpec.completions How many pods must succeed.
JobSpec.parallelism How many pods may run at once.
JobSpec.ttlSecondsAfterFinished How long the finished job is kept.
CronJob Makes jobs on a schedule.
CronJobSpec.schedule When, in cron notation.
PodDisruptionBudget Limits how many pods may be missing by our own doing.
PodDisruptionBudgetSpec.maxUnavailable How many pods may be missing, or what share.
PodDisruptionBudgetSpec.minAvailable How many pods must stay, or what share.
PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy Whether pods that are not ready may always go.
PodDisruptionBudgetStatus.disruptionsAllowed How many pods may be evicted now.
Lease Who leads, and until when.
LeaseSpec.holderIdentity Who holds the lease.
LeaseSpec.leaseDurationSeconds How long it is good for after a renewal.
LeaseSpec.renewTime When it was last renewed.
PriorityClass A name for a priority.
PriorityClass.globalDefault Whether pods without a class get this one.
PriorityClass.value The priority; higher goes first.
CustomResourceDefinition A kind of object that somebody has added to the API.
VolumeAttachment A volume on its way to a node, or there.
CSINode Storage drivers of one node.
`;

const descriptions: ReadonlyMap<string, string> = new Map(
  notation
    .trim()
    .split('\n')
    .map((line): [string, string] => {
      const space = line.indexOf(' ');
      return [line.slice(0, space), line.slice(space + 1)];
    }),
);

/** What a type, or one of its fields, is for; undefined where we have nothing to say. */
export function descriptionOf(type: string, field?: string): string | undefined {
  if (field === undefined) return descriptions.get(type);
  return descriptions.get(`${type}.${field}`) ?? descriptions.get(`.${field}`);
}
