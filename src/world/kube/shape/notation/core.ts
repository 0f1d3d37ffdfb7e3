/** What else is in the core group. In the notation that `shape/parse.ts` reads. */
export const coreNotation = `
ObjectReference!: apiVersion fieldPath kind name namespace resourceVersion uid
Binding: metadata:ObjectMeta target:ObjectReference
ConfigMap: binaryData:{y} data:{s} immutable:b metadata:ObjectMeta
Endpoints: metadata:ObjectMeta subsets:[EndpointSubset]
EndpointSubset: addresses:[EndpointAddress] notReadyAddresses:[EndpointAddress]
  ports:[EndpointPort]
EndpointAddress!: hostname ip nodeName targetRef:ObjectReference
EndpointPort!: appProtocol name port:i protocol
Event: action count:i eventTime:u firstTimestamp:t involvedObject:ObjectReference lastTimestamp:t
  message metadata:ObjectMeta reason related:ObjectReference reportingComponent reportingInstance
  series:EventSeries source:EventSource type
EventSeries: count:i lastObservedTime:u
EventSource: component host
LimitRange: metadata:ObjectMeta spec:LimitRangeSpec
LimitRangeSpec: limits:[LimitRangeItem]
LimitRangeItem: default:{q} defaultRequest:{q} max:{q} maxLimitRequestRatio:{q} min:{q} type
Namespace: metadata:ObjectMeta spec:NamespaceSpec status:NamespaceStatus
NamespaceSpec: finalizers:[s]
NamespaceStatus: conditions:[NamespaceCondition]=type~ phase
NamespaceCondition: lastTransitionTime:t message reason status type
Node: metadata:ObjectMeta spec:NodeSpec status:NodeStatus
NodeSpec: configSource:NodeConfigSource externalID podCIDR podCIDRs:[s]+~ providerID
  taints:[Taint] unschedulable:b
NodeConfigSource: configMap:ConfigMapNodeConfigSource
ConfigMapNodeConfigSource: kubeletConfigKey name namespace resourceVersion uid
Taint: effect key timeAdded:t value
NodeStatus: addresses:[NodeAddress]=type~ allocatable:{q} capacity:{q}
  conditions:[NodeCondition]=type~ config:NodeConfigStatus daemonEndpoints:NodeDaemonEndpoints
  declaredFeatures:[s] features:NodeFeatures images:[ContainerImage] nodeInfo:NodeSystemInfo phase
  runtimeHandlers:[NodeRuntimeHandler] volumesAttached:[AttachedVolume] volumesInUse:[s]
NodeAddress: address type
NodeCondition: lastHeartbeatTime:t lastTransitionTime:t message reason status type
NodeConfigStatus: active:NodeConfigSource assigned:NodeConfigSource error
  lastKnownGood:NodeConfigSource
NodeDaemonEndpoints: kubeletEndpoint:DaemonEndpoint
DaemonEndpoint: Port:i
NodeFeatures: supplementalGroupsPolicy:b
ContainerImage: names:[s] sizeBytes:i
NodeSystemInfo: architecture bootID containerRuntimeVersion kernelVersion kubeProxyVersion
  kubeletVersion machineID operatingSystem osImage swap:NodeSwapStatus systemUUID
NodeSwapStatus: capacity:i
NodeRuntimeHandler: features:NodeRuntimeHandlerFeatures name
NodeRuntimeHandlerFeatures: recursiveReadOnlyMounts:b userNamespaces:b
AttachedVolume: devicePath name
ReplicationController: metadata:ObjectMeta spec:ReplicationControllerSpec
  status:ReplicationControllerStatus
ReplicationControllerSpec: minReadySeconds:i replicas:i selector:{s}! template:PodTemplateSpec
ReplicationControllerStatus: availableReplicas:i conditions:[ReplicationControllerCondition]=type~
  fullyLabeledReplicas:i observedGeneration:i readyReplicas:i replicas:i
ReplicationControllerCondition: lastTransitionTime:t message reason status type
ResourceQuota: metadata:ObjectMeta spec:ResourceQuotaSpec status:ResourceQuotaStatus
ResourceQuotaSpec: hard:{q} scopeSelector:ScopeSelector scopes:[s]
ScopeSelector!: matchExpressions:[ScopedResourceSelectorRequirement]
ScopedResourceSelectorRequirement: operator scopeName values:[s]
ResourceQuotaStatus: hard:{q} used:{q}
Secret: data:{y} immutable:b metadata:ObjectMeta stringData:{s} type
Service: metadata:ObjectMeta spec:ServiceSpec status:ServiceStatus
ServiceSpec: allocateLoadBalancerNodePorts:b clusterIP clusterIPs:[s] externalIPs:[s] externalName
  externalTrafficPolicy healthCheckNodePort:i internalTrafficPolicy ipFamilies:[s] ipFamilyPolicy
  loadBalancerClass loadBalancerIP loadBalancerSourceRanges:[s]
  ports:[ServicePort]=port,protocol~port publishNotReadyAddresses:b selector:{s}! sessionAffinity
  sessionAffinityConfig:SessionAffinityConfig trafficDistribution type
ServicePort: appProtocol name nodePort:i port:i protocol targetPort:x
SessionAffinityConfig: clientIP:ClientIPConfig
ClientIPConfig: timeoutSeconds:i
ServiceStatus: conditions:[Condition]=type~ loadBalancer:LoadBalancerStatus
LoadBalancerStatus: ingress:[LoadBalancerIngress]
LoadBalancerIngress: hostname ip ipMode ports:[PortStatus]
PortStatus: error port:i protocol
ServiceAccount: automountServiceAccountToken:b imagePullSecrets:[LocalObjectReference]
  metadata:ObjectMeta secrets:[ObjectReference]=name~
TopologySelectorTerm!: matchLabelExpressions:[TopologySelectorLabelRequirement]
TopologySelectorLabelRequirement: key values:[s]
`;
